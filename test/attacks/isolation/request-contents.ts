import { DOCUMENT_KINDS, HIDDEN_KINDS, RESOURCE_KINDS } from '../../../domain/resources/kinds/index.ts'
import { audioBody } from '../../support/speech/audio.ts'
import { piece } from '../../support/speech/meetings.ts'
import { pathway } from '../../support/runs/runs.ts'
import { documentOf, SOURCE_KEY } from './one-of-everything.ts'
import type { Target } from './requests.ts'

interface Content {
  /** The query string without the question mark. */
  query?: string
  body?: object
}

const bodies = (...list: object[]): Content[] => list.map(body => ({ body }))
const queries = (...list: string[]): Content[] => list.map(query => ({ query }))

const KINDS = [...RESOURCE_KINDS, ...HIDDEN_KINDS]
const describe = () => bodies({ description: 'another' })

/** The paths of resources whose versions can be compared. */
const COMPARED = [
  'resources/{catalog}',
  'neurons',
  'pathways',
  'receptors',
  'reflexes',
  'skills',
  'artifacts',
  'assets',
  'meetings',
  'triggers',
]

/** Returns the first id of a collection. */
const first = ({ owned }: Target, collection: string): string => owned[collection]?.[0] ?? ''

/** Returns pathways whose nodes refer to objects of another key. */
const definitions = (target: Target): object[] =>
  [
    { type: 'pathway', ref: first(target, 'pathways') },
    { type: 'neuron', ref: first(target, 'neurons'), with: { message: 'hello' } },
    { type: 'tool', with: { reflex: first(target, 'reflexes'), name: 'listPets' } },
    { type: 'transcribe', with: { asset: first(target, 'assets') } },
    { type: 'search', with: { query: target.marker } },
    { type: 'tool', with: { reflex: 'reader', name: 'search', args: { query: target.marker } } },
    ...readArguments(target).map(args => ({ type: 'tool', with: { reflex: 'reader', name: 'read_resource', args } })),
  ].map(node => pathway([{ id: 'node', ...node }]))

const readArguments = (target: Target): { type: string; id: string }[] =>
  [...DOCUMENT_KINDS, 'skills'].map(type => ({ type, id: first(target, type) }))

/** The queries and bodies, by operation name. Operations without an entry need neither. */
export const CONTENTS: Record<string, (target: Target) => Content[]> = {
  'POST /v1/neurons': target =>
    bodies({ title: 'One', tools: [{ reflex: first(target, 'reflexes') }], skills: [first(target, 'skills')] }),
  'PATCH /v1/neurons/{id}': describe,
  'POST /v1/neurons/{id}/invoke': target =>
    bodies(
      { message: 'hello', stream: true },
      { message: 'hello', stream: true, trace_id: first(target, 'traces') },
      { message: 'hello', stream: true, files: target.owned.files ?? [] },
    ),
  'POST /v1/receptors': target => bodies({ title: 'One', target: { type: 'neuron', ref: first(target, 'neurons') } }),
  'PATCH /v1/receptors/{id}': describe,
  'POST /v1/share-tokens': target =>
    bodies({ name: 'door', target: { type: 'receptor', id: first(target, 'receptors') } }),
  'POST /v1/receptors/{workspace_slug}/{slug_or_id}/invoke': target =>
    bodies({ message: 'hello', stream: true }, { message: 'hello', stream: true, trace_id: first(target, 'traces') }),
  'POST /v1/skills': () => bodies({ title: 'One', instructions: 'Be kind.' }),
  'PATCH /v1/skills/{id}': describe,
  'POST /v1/chat/{traceId}': target =>
    ['neuron', 'receptor', 'pathway'].flatMap(type => bodies({ message: 'hello', [type]: first(target, `${type}s`) })),
  'GET /v1/members/names': () => queries('actors=user:ann,user:demo'),
  'GET /v1/traces': () => queries('limit=200', 'actor=all&limit=200'),
  'GET /v1/usage': () =>
    ['day', 'kind', 'model', 'neuron', 'pathway', 'job'].map(group => ({ query: `group_by=${group}&limit=200` })),
  'GET /v1/recollections': target => queries('limit=200', `neuron=${first(target, 'neurons')}`),
  'POST /v1/recollections': target => bodies({ neuron: first(target, 'neurons'), text: 'likes coffee' }),
  'POST /v1/recollections/search': target => bodies({ neuron: first(target, 'neurons'), query: target.marker }),
  'POST /v1/pathways': target => definitions(target).map(definition => ({ body: { title: 'One', definition } })),
  'POST /v1/resources/dry-run': target =>
    definitions(target).map(definition => ({
      body: { resources: [{ catalog: 'pathways', slug: 'one', title: 'One', document: { definition } }] },
    })),
  'POST /v1/pathways/dry-run': target => definitions(target).map(definition => ({ body: { definition } })),
  'POST /v1/pathways/validate': target => definitions(target).map(definition => ({ body: { definition } })),
  'PATCH /v1/pathways/{id}': describe,
  'POST /v1/pathways/{id}/dry-run': () => bodies({}),
  'POST /v1/pathways/{id}/execute': () => bodies({}),
  'POST /v1/triggers': target =>
    ['neuron', 'pathway', 'receptor'].flatMap(type =>
      bodies({ title: 'One', target: { type, ref: first(target, `${type}s`) } }),
    ),
  'PATCH /v1/triggers/{id}': describe,
  'POST /v1/triggers/{id}/fire': () => bodies({ input: { message: 'hello' } }),
  'POST /v1/triggers/{id}/backfill': () => bodies({ from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' }),
  'GET /v1/automations/graph': () => queries('limit=200', 'format=mermaid', 'format=svg'),
  'POST /v1/jobs': target => [
    ...bodies({ pathway_id: first(target, 'pathways') }),
    ...definitions(target).map(body => ({ body: { pathway: body } })),
  ],
  'GET /v1/jobs': target =>
    queries(
      'limit=200',
      ...['pathway', 'receptor', 'neuron', 'trigger', 'trace'].map(type => `${type}_id=${first(target, `${type}s`)}`),
    ),
  'POST /v1/jobs/bulk': target =>
    ['pathway', 'receptor', 'neuron', 'trigger', 'trace'].flatMap(type =>
      bodies({ operation: 'cancel', filter: { [`${type}_id`]: first(target, `${type}s`) }, dry_run: true }),
    ),
  'POST /v1/jobs/migrate': target =>
    bodies({ pathway: first(target, 'pathways'), from_version: 1, to_version: 2, filter: {}, dry_run: true }),
  'POST /v1/jobs/{jobId}/fork': () => bodies({ from_node: 'say', dry_run: true }),
  'POST /v1/jobs/{jobId}/retry': () => bodies({ dry_run: true }),
  'POST /v1/interventions/{id}/reopen': () => bodies({ reason: 'new facts', dry_run: true }),
  'PUT /v1/channels': () =>
    bodies({ name: 'support', type: 'slack', bot_token: 'xoxb-1', signing_secret: '0'.repeat(32) }),
  'PUT /v1/notification-rules': () => bodies({ subject: 'user:ann', channel: 'support' }),
  'PUT /v1/calendars': () => bodies({ name: 'office', time_zone: 'UTC', hours: { mon: ['09:00-17:00'] } }),
  'PUT /v1/absence': () => bodies({ substitute: 'user:cy' }),
  'PUT /v1/absences': () => bodies({ actor: 'user:ann', substitute: 'user:cy' }),
  'POST /v1/interventions/answers': ({ owned }) =>
    bodies({ items: (owned.interventions ?? []).map(interventionId => ({ interventionId })), action: 'approve' }),
  'POST /v1/interventions/{id}/delegate': () => bodies({ to: 'user:cy' }),
  'POST /v1/interventions/{id}/reassign': () => bodies({ to: ['user:ann', 'user:cy'] }),
  'POST /v1/interventions/{id}/comments': () => bodies({ comment: 'wait' }),
  'POST /v1/jobs/{jobId}/resume': () => bodies({ event: 'go' }),
  'POST /v1/jobs/{jobId}/input': ({ owned, workspace }) =>
    (owned.interventions ?? []).map(interventionId => ({
      body: {
        workspace_id: workspace.id,
        input: { type: 'intervention_response', interventionId, action: 'approve' },
      },
    })),
  'GET /v1/interventions': ({ owned }) => queries('limit=200', ...(owned.jobs ?? []).map(id => `job_id=${id}`)),
  'POST /v1/search': ({ marker }) =>
    ['hybrid', 'keyword', 'semantic'].flatMap(mode =>
      bodies(
        { query: marker, mode },
        { query: documentOf(marker), mode, types: KINDS },
        { query: documentOf(marker), mode, filters: { path_prefix: `/${marker}` } },
      ),
    ),
  'GET /v1/search': ({ marker }) => queries(`query=${marker}`),
  'POST /v1/reflexes': target =>
    bodies(
      { title: 'One', source: 'neuron', target: first(target, 'neurons') },
      { title: 'One', tools: [{ name: 'current_time' }] },
    ),
  'PATCH /v1/reflexes/{id}': describe,
  'GET /v1/tools': () => queries('limit=200'),
  'POST /v1/tools/{name}/call': target =>
    bodies({ reflex: first(target, 'reflexes') }, ...readArguments(target).map(args => ({ arguments: args }))),
  'POST /v1/transcribe': () => bodies(audioBody('mp3')),
  'POST /v1/meetings': () => bodies({ title: 'One' }),
  'PATCH /v1/meetings/{id}': describe,
  'POST /v1/meetings/{id}/audio': () => bodies(piece(1)),
  'POST /v1/triggers/{id}/rotate-secret': () => bodies({ secret: 'a secret of a stranger' }),
  'POST /v1/webhooks': () => bodies({ url: 'https://1.1.1.1/hook', event_types: ['webhook.*'] }),
  'PATCH /v1/webhooks/{id}': describe,
  'POST /v1/browse': () => KINDS.flatMap(type => bodies({ type, full_heads: true, limit: 200 })),
  'POST /v1/browse/resource-tree': target =>
    bodies(
      {},
      { parent_key: `folder:/${target.marker}` },
      ...KINDS.map(kind => ({ parent_key: `resource:${first(target, kind)}` })),
    ),
  'GET /v1/resources/tree': ({ marker }) =>
    queries('limit=200', 'shape=folders', `path_prefix=/${marker}&shape=folders`, `path_prefix=/${marker}`),
  'POST /v1/resources/tree': () => bodies({}, { shape: 'folders' }, { tree_profile: 'document' }),
  'POST /v1/resources/move': target =>
    bodies(
      { folders: [`/${target.marker}`], path: '/moved' },
      ...KINDS.map(kind => ({ resource_ids: [first(target, kind)], path: '/moved' })),
    ),
  'POST /v1/assets/ingest': ({ marker }) =>
    bodies({ text: documentOf(marker) }, { text: 'another text', source_key: SOURCE_KEY }),
  'POST /v1/files': ({ marker }) => bodies({ text: documentOf(marker) }),
  'POST /v1/artifacts': () => bodies({ title: 'One', content: 'text' }),
  'PATCH /v1/artifacts/{id}': () => bodies({ content: { append: ' more' } }),
  'POST /v1/resources/{catalog}': () => bodies({ title: 'One', document: {} }),
  'POST /v1/resources/{catalog}/{id}/patch': () =>
    bodies({ merge: { title: 'another' } }, { delta: {}, title: 'another' }),
  'GET /v1/stakeholders/latest': target => queries(`resource_id=${first(target, 'stakeholder_maps')}`, ''),
  'GET /v1/stakeholders/diff': target =>
    queries(`from=1&to=live&resource_id=${first(target, 'stakeholder_maps')}`, 'from=1&to=live'),
  'GET /v1/stakeholders/graph.svg': target => queries(`resource_id=${first(target, 'stakeholder_maps')}`, ''),
  'GET /v1/stakeholders/{node_id}/briefing': target => queries(`resource_id=${first(target, 'stakeholder_maps')}`, ''),
  'POST /v1/stakeholders/extract': target => [
    ...bodies({ resource_id: first(target, 'stakeholder_maps'), text: 'Ann Ito (CFO)' }),
    ...(['assets', 'artifacts', 'meetings'] as const).flatMap(type =>
      bodies({ source: { type, id: first(target, type) } }),
    ),
  ],
  ...Object.fromEntries(COMPARED.map(path => [`GET /v1/${path}/{id}/diff`, () => queries('from=1&to=live')])),
}
