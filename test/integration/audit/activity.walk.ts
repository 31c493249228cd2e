import { createECDH } from 'node:crypto'
import type { SlackServer } from '../../support/channels/slack-server.ts'
import { audioBody } from '../../support/speech/audio.ts'
import type { ApiClient } from '../../support/clients/client.ts'
import { piece } from '../../support/speech/meetings.ts'
import { waitUntil } from '../../support/stack/process.ts'
import { asked, jobWith, pathway } from '../../support/runs/runs.ts'

/** One change through the API, with its audit log entries. */
export interface Change {
  /** The operation's name in the OpenAPI document. */
  operation: string
  path: string
  body?: object
  /** The logged actions, in alphabetical order. */
  actions: string[]
  /** True if the route accepts an `Idempotency-Key`. */
  isIdempotent?: boolean
  /** The caller, if it is not the API key. */
  by?: Visitor
}

/** A caller with a session or a share token, or a trigger. */
export interface Visitor {
  credential_id: string
  actor: string
  /** The person, if different from the actor. */
  person?: string
  headers: Record<string, string>
}

/** POST routes that do not change anything. */
export const READS = new Set([
  'POST /v1/browse',
  'POST /v1/browse/resource-tree',
  'POST /v1/resources/dry-run',
  'POST /v1/resources/tree',
  'POST /v1/search',
  'POST /v1/recollections/search',
  'POST /v1/pathways/dry-run',
  'POST /v1/pathways/validate',
  'POST /v1/pathways/{id}/dry-run',
  'POST /v1/temporal/codec/decode',
  // A tool call is recorded like a call to the route that makes the same change: integration/mcp.runs.test.ts.
  'POST /v1/mcp',
  'POST /v1/mcp/{toolkit}',
  // Recorded as a change by the person who wrote or clicked: integration/channels/slack.test.ts.
  'POST /v1/public/channels/{workspace_slug}/{name}',
])

export interface Made {
  id: string
  slug: string
  version: number
  job_id: string
  trace_id: string
  asset: { id: string }
  share_token: string
  code: string
  token: string
  firing_id: string
  waitingFor: { interventionId: string }[]
}

export interface WalkContext {
  client: ApiClient
  workspace: { id: string; slug: string }
  openapi_url: string
  base_url: string
  slack: SlackServer
  /** A URL that accepts deliveries. */
  hook_url: string
  /** A text that all documents contain and that must not appear in any log entry. */
  secret: string
  /** An owner of the workspace with a session. */
  owner: Visitor
  /** The token from a one-time sign-in link for Ann. */
  link_token: string
  /** Makes the change and checks it. Returns the response. */
  make(change: Change): Promise<Made>
}

const say = pathway([{ id: 'say', type: 'transform', with: { value: '1' } }])
const wait = pathway([{ id: 'wait', type: 'wait', event: 'go', timeout: 'PT1H' }])
const human = { id: 'ask', type: 'human', kind: 'approval', title: 'Approve?' }
const askAnn = pathway(
  [
    { ...human, assignees: ['user:ann'] },
    { id: 'done', type: 'end' },
  ],
  'ask.approve > done',
  'ask.reject > done',
)
const ask = pathway([human, { id: 'done', type: 'end' }], 'ask.approve > done', 'ask.reject > done')

/** Makes every change that the API supports, in an order in which earlier changes provide what later ones need. */
export async function makeEveryChange(context: WalkContext): Promise<void> {
  const made = await changeProducts(context)
  await changeCatalog(context, made)
  await changeDocuments(context)
  await changeConversations(context, made)
  await changeRuns(context, made)
  await changeTriggers(context, made)
  await changeMeetings(context)
  await changeWebhooks(context)
  await changeChannels(context)
  await changeHooks(context)
  await changeToolkits(context, made)
  await changeBrains(context)
  await changeSecrets(context)
  await changeAccess(context, made)
}

/** Creates, changes, deletes and restores a resource of every kind through its own routes. Returns the ids by kind. */
async function changeProducts({ make, openapi_url, secret }: WalkContext): Promise<Record<string, string>> {
  const ids: Record<string, string> = {}
  const products: [path: string, word: string, fields: () => object][] = [
    ['neurons', 'neuron', () => ({ model: 'builtin:extractive', instructions: secret })],
    ['pathways', 'pathway', () => ({ definition: say })],
    ['receptors', 'receptor', () => ({ target: { type: 'neuron', ref: ids.neurons }, greeting: secret })],
    ['reflexes', 'reflex', () => ({ source: 'openapi', url: openapi_url })],
    ['skills', 'skill', () => ({ instructions: secret })],
    ['artifacts', 'artifact', () => ({ content: secret })],
    ['meetings', 'meeting', () => ({})],
    ['triggers', 'trigger', () => ({ target: { type: 'pathway', ref: ids.pathways }, description: secret })],
  ]
  for (const [name, word, fields] of products) {
    const at = `/v1/${name}`
    // A job fetches the tools of an API description.
    const actions = name === 'reflexes' ? ['job.start', 'reflex.create'] : [`${word}.create`]
    const body = { title: `A ${word}`, ...fields() }
    const { id } = await make({ operation: `POST ${at}`, path: at, body, actions, isIdempotent: true })
    ids[name] = id
    const one = `${at}/{id}`
    await make({
      operation: `PATCH ${one}`,
      path: `${at}/${id}`,
      body: name === 'artifacts' ? { merge: { title: 'Another' } } : { title: 'Another' },
      actions: [`${word}.update`],
    })
    await make({ operation: `DELETE ${one}`, path: `${at}/${id}`, actions: [`${word}.delete`] })
    await make({ operation: `POST ${one}/restore`, path: `${at}/${id}/restore`, actions: [`${word}.restore`] })
  }
  return ids
}

/** The routes shared by all kinds. */
async function changeCatalog({ make, secret }: WalkContext, { neurons: ref }: Record<string, string>): Promise<void> {
  const at = '/v1/resources/triggers'
  const of = '/v1/resources/{catalog}'
  const body = { title: 'A trigger', document: { description: secret, target: { type: 'neuron', ref } } }
  const { id } = await make({
    operation: `POST ${of}`,
    path: at,
    body,
    actions: ['trigger.create'],
    isIdempotent: true,
  })
  const merge = { merge: { title: 'Another' } }
  await make({
    operation: `POST ${of}/{id}/patch`,
    path: `${at}/${id}/patch`,
    body: merge,
    actions: ['trigger.update'],
  })
  await make({
    operation: 'POST /v1/resources/move',
    path: '/v1/resources/move',
    body: { resource_ids: [id], path: '/moved' },
    actions: ['resource.move'],
  })
  await make({ operation: `DELETE ${of}/{id}`, path: `${at}/${id}`, actions: ['trigger.delete'] })
  const restore = { operation: `POST ${of}/{id}/restore`, path: `${at}/${id}/restore` }
  await make({ ...restore, actions: ['trigger.restore'] })
  await make({ ...restore, body: { version: 1 }, actions: ['trigger.update'] })
  await make({
    operation: `DELETE ${of}/{id}`,
    path: `${at}/${id}?purge=true`,
    actions: ['job.start', 'trigger.delete'],
  })
}

async function changeDocuments({ make, client, secret }: WalkContext): Promise<void> {
  const ingest = { operation: 'POST /v1/assets/ingest', path: '/v1/assets/ingest' }
  const one = { title: 'One', text: `<p>${secret}</p>`, mime_type: 'text/html', source_key: 'one' }
  const { asset, job_id } = await make({ ...ingest, body: one, actions: ['asset.create', 'job.start'] })
  await jobWith(client, job_id)
  await make({ ...ingest, body: { ...one, title: 'Another' }, actions: ['asset.update'] })
  const two = [
    { title: 'Two', text: `${secret} 2` },
    { title: 'Three', text: `${secret} 3` },
  ]
  // A small text is read without a job.
  const batch = ['asset.create', 'asset.create']
  await make({ ...ingest, body: { documents: two }, actions: batch })
  const at = `/v1/assets/${asset.id}`
  await make({ operation: 'DELETE /v1/assets/{id}', path: at, actions: ['asset.delete'] })
  await make({ operation: 'POST /v1/assets/{id}/restore', path: `${at}/restore`, actions: ['asset.restore'] })
}

async function changeConversations(
  { make, client, workspace, secret }: WalkContext,
  made: Record<string, string>,
): Promise<void> {
  const { neurons: neuron = '', receptors: receptor = '' } = made
  const opened = ['job.start', 'trace.create']
  const message = { message: `Hello, ${secret}`, stream: true }
  await make({
    operation: 'POST /v1/neurons/{id}/invoke',
    path: `/v1/neurons/${neuron}/invoke`,
    body: message,
    actions: opened,
    isIdempotent: true,
  })
  await make({
    operation: 'POST /v1/receptors/{workspace_slug}/{slug_or_id}/invoke',
    path: `/v1/receptors/${workspace.slug}/${receptor}/invoke`,
    body: message,
    actions: opened,
    isIdempotent: true,
  })
  await make({ operation: 'POST /v1/files', path: '/v1/files', body: { text: secret }, actions: ['file.create'] })
  const chat = { operation: 'POST /v1/chat/{traceId}', body: { message: secret, neuron }, isIdempotent: true }
  const { trace_id, job_id } = await make({ ...chat, path: '/v1/chat/new', actions: opened })
  await make({ ...chat, path: `/v1/chat/${trace_id}`, actions: ['job.start'] })
  await jobWith(client, job_id)
  await make({
    operation: 'DELETE /v1/traces/{id}',
    path: `/v1/traces/${trace_id}`,
    actions: ['job.start', 'trace.delete'],
  })
  const { id } = await make({
    operation: 'POST /v1/recollections',
    path: '/v1/recollections',
    body: { neuron, text: secret },
    actions: ['recollection.create'],
    isIdempotent: true,
  })
  await make({
    operation: 'DELETE /v1/recollections/{id}',
    path: `/v1/recollections/${id}`,
    actions: ['recollection.delete'],
  })
}

async function changeRuns(
  { make, client, workspace, secret }: WalkContext,
  { pathways: stored = '', reflexes = '', artifacts = '' }: Record<string, string>,
): Promise<void> {
  const started = ['job.start']
  const start = (pathway: object) =>
    make({ operation: 'POST /v1/jobs', path: '/v1/jobs', body: { pathway }, actions: started, isIdempotent: true })
  await make({
    operation: 'POST /v1/pathways/{id}/execute',
    path: `/v1/pathways/${stored}/execute`,
    body: {},
    actions: started,
    isIdempotent: true,
  })
  await make({
    operation: 'POST /v1/reflexes/{id}/refresh',
    path: `/v1/reflexes/${reflexes}/refresh`,
    body: {},
    actions: started,
    isIdempotent: true,
  })
  const tools = [{ name: 'read_resource' }]
  await client.post('/v1/reflexes', { title: 'Reader', source: 'builtin', tools })
  await make({
    operation: 'POST /v1/tools/{name}/call',
    path: '/v1/tools/read_resource/call',
    body: { arguments: { type: 'artifacts', id: artifacts } },
    actions: started,
    isIdempotent: true,
  })
  const map = { title: 'A map', snapshot: { stakeholders: [{ id: 'ann', name: 'Ann Ito' }] } }
  const { body: made } = await client.post<Made>('/v1/resources/stakeholder_maps', map)
  await make({
    operation: 'POST /v1/stakeholders/extract',
    path: '/v1/stakeholders/extract',
    body: { resource_id: made.id, text: 'Nobody is named here.' },
    actions: started,
    isIdempotent: true,
  })
  await make({
    operation: 'POST /v1/transcribe',
    path: '/v1/transcribe',
    body: audioBody('mp3'),
    actions: started,
    isIdempotent: true,
  })
  const command = (job_id: string, verb: string, action: string, body: object = {}) =>
    make({
      operation: `POST /v1/jobs/{jobId}/${verb}`,
      path: `/v1/jobs/${job_id}/${verb}`,
      body,
      actions: [action],
      isIdempotent: verb === 'resume' && 'event' in body,
    })
  const waiting = await start(wait)
  await jobWith(client, waiting.job_id, 'waiting')
  await command(waiting.job_id, 'pause', 'job.pause')
  await command(waiting.job_id, 'resume', 'job.resume')
  await jobWith(client, waiting.job_id, 'waiting')
  await command(waiting.job_id, 'resume', 'job.event', { event: 'go' })
  await jobWith(client, waiting.job_id)
  await make({
    operation: 'DELETE /v1/jobs/{jobId}',
    path: `/v1/jobs/${waiting.job_id}`,
    actions: started,
  })
  const ended = await start(wait)
  await jobWith(client, ended.job_id, 'waiting')
  await command(ended.job_id, 'cancel', 'job.cancel')
  await changeVersion({ client, make })
  const waitingJob = await start(ask)
  const { waitingFor } = (await jobWith(client, waitingJob.job_id, 'waiting')) as unknown as Made
  const input = { type: 'intervention_response', interventionId: waitingFor[0]?.interventionId, action: 'approve' }
  await command(waitingJob.job_id, 'input', 'intervention.answer', { workspace_id: workspace.id, input })
  await jobWith(client, waitingJob.job_id)
  await changeTask({ client, make, secret }, start)
  const fork = (operation: string, id: string, body: object) =>
    make({
      operation: `POST ${operation}`,
      path: operation.replace(/\{\w+\}/, id),
      body,
      actions: ['job.fork', 'job.start'],
      isIdempotent: true,
    })
  await fork('/v1/jobs/{jobId}/fork', waitingJob.job_id, { from_node: 'done' })
  await fork('/v1/jobs/{jobId}/retry', ended.job_id, {})
  await fork('/v1/interventions/{id}/reopen', waitingFor[0]?.interventionId ?? '', { reason: secret })
  await make({
    operation: 'POST /v1/jobs/bulk',
    path: '/v1/jobs/bulk',
    body: { operation: 'retry', filter: { error_code: 'NONE' }, reason: secret },
    actions: started,
    isIdempotent: true,
  })
}

/** Moves a run to another version of its pathway and back. */
async function changeVersion({ client, make }: Pick<WalkContext, 'client' | 'make'>) {
  const { body: pathway } = await client.post<Made>('/v1/pathways', { title: 'Moved', definition: wait })
  await client.patch(`/v1/pathways/${pathway.id}`, { title: 'Moved again' })
  const { body: run } = await client.post<Made>('/v1/jobs', { pathway_id: `${pathway.id}@1` })
  await jobWith(client, run.job_id, 'waiting')
  await make({
    operation: 'POST /v1/jobs/migrate',
    path: '/v1/jobs/migrate',
    body: { pathway: pathway.id, from_version: 1, to_version: 2, filter: { job_ids: [run.job_id] } },
    actions: ['job.migrate'],
  })
  await make({
    operation: 'POST /v1/jobs/{jobId}/migration/undo',
    path: `/v1/jobs/${run.job_id}/migration/undo`,
    body: {},
    actions: ['job.undo_migration'],
  })
}

/** Makes every change to an intervention except an answer. */
async function changeTask(
  { client, make, secret }: Pick<WalkContext, 'client' | 'make' | 'secret'>,
  start: (definition: object) => Promise<Made>,
) {
  const { job_id } = await start(askAnn)
  const { waitingFor } = (await jobWith(client, job_id, 'waiting')) as unknown as Made
  const id = waitingFor[0]?.interventionId ?? ''
  const verbs: [verb: string, action: string, body?: object][] = [
    ['claim', 'claim'],
    ['release', 'release'],
    ['comments', 'comment', { comment: secret }],
    ['reassign', 'reassign', { to: ['user:ann', 'user:zoe'], comment: secret }],
    ['delegate', 'delegate', { to: 'user:zoe', comment: secret }],
  ]
  for (const [verb, action, body] of verbs)
    await make({
      operation: `POST /v1/interventions/{id}/${verb}`,
      path: `/v1/interventions/${id}/${verb}`,
      body,
      actions: [`intervention.${action}`],
      isIdempotent: true,
    })
  const other = (await start(askAnn)).job_id
  const { waitingFor: open } = (await jobWith(client, other, 'waiting')) as unknown as Made
  const { body: asked } = await client.get<{ interventionId: string; shown_hash: string }>(
    `/v1/interventions/${open[0]?.interventionId ?? ''}`,
  )
  const items = [{ interventionId: asked.interventionId, shown_hash: asked.shown_hash }]
  await make({
    operation: 'POST /v1/interventions/answers',
    path: '/v1/interventions/answers',
    body: { items, action: 'approve' },
    actions: ['intervention.answer'],
  })
  await jobWith(client, other)
  await client.post(`/v1/jobs/${job_id}/cancel`)
  const away = { substitute: 'user:zoe' }
  await make({ operation: 'PUT /v1/absence', path: '/v1/absence', body: away, actions: ['absence.set'] })
  await make({ operation: 'DELETE /v1/absence', path: '/v1/absence', actions: ['absence.remove'] })
}

async function changeTriggers(
  { make, client }: WalkContext,
  { triggers: manual = '', pathways: ref = '' }: Record<string, string>,
): Promise<void> {
  await make({
    operation: 'POST /v1/triggers/{id}/fire',
    path: `/v1/triggers/${manual}/fire`,
    body: {},
    actions: ['job.start'],
    isIdempotent: true,
  })
  const schedule = { interval: { every: 'PT1H' }, overlap: 'allow' }
  const body = { title: 'Hourly', trigger_type: 'schedule', target: { type: 'pathway', ref }, schedule }
  const { body: hourly } = await client.post<Made>('/v1/triggers', body)
  const now = Date.now()
  const [from, to] = [now - 7_200_000, now - 3_600_000].map(time => new Date(time).toISOString())
  const at = `/v1/triggers/${hourly.id}/backfill`
  // The schedule reaches Temporal shortly after the trigger is saved.
  await waitUntil(async () => (await client.post(at, { from, to })).status === 202)
  await make({
    operation: 'POST /v1/triggers/{id}/backfill',
    path: at,
    body: { from, to },
    actions: ['trigger.backfill'],
  })
}

async function changeMeetings({ make, client }: WalkContext): Promise<void> {
  const { body } = await client.post<Made>('/v1/meetings', { title: 'A meeting' })
  const audio = { operation: 'POST /v1/meetings/{id}/audio', path: `/v1/meetings/${body.id}/audio` }
  await make({ ...audio, body: piece(0), actions: ['job.start', 'meeting.audio', 'meeting.update'] })
  await make({ ...audio, body: piece(1), actions: ['meeting.audio'] })
  await make({ ...audio, body: piece(1), actions: [] })
  await waitUntil(async () => {
    const { body: said } = await client.get<{ pending: number }>(`/v1/meetings/${body.id}/transcript`)
    return said.pending === 0
  })
  await make({
    operation: 'POST /v1/meetings/{id}/end',
    path: `/v1/meetings/${body.id}/end`,
    actions: ['meeting.end'],
  })
}

async function changeWebhooks({ make, client, hook_url }: WalkContext): Promise<void> {
  const all = '/v1/webhooks'
  const one = `${all}/{id}`
  const body = { url: hook_url, event_types: ['webhook.disabled'] }
  const { id } = await make({ operation: `POST ${all}`, path: all, body, actions: ['webhook.create'] })
  const at = `${all}/${id}`
  await make({ operation: `PATCH ${one}`, path: at, body: { description: 'Mine' }, actions: ['webhook.update'] })
  const rotated = { operation: `POST ${one}/rotate-secret`, path: `${at}/rotate-secret`, body: {} }
  await make({ ...rotated, actions: ['webhook.rotate_secret'] })
  const tested = await make({ operation: `POST ${one}/test`, path: `${at}/test`, body: {}, actions: ['webhook.test'] })
  await waitUntil(async () => {
    const { body: log } = await client.get<{ data: { status: string }[] }>(`${at}/deliveries?limit=1`)
    return log.data[0]?.status === 'succeeded'
  })
  await make({
    operation: `POST ${one}/deliveries/{deliveryId}/replay`,
    path: `${at}/deliveries/${tested.id}/replay`,
    body: {},
    actions: ['webhook.replay'],
  })
  await make({ operation: `DELETE ${one}`, path: at, actions: ['webhook.delete'] })
}

/** Connects a Slack workspace, and links an account. */
async function changeChannels({ make, slack, owner: by, base_url, workspace }: WalkContext): Promise<void> {
  const all = '/v1/channels'
  const body = { name: 'support', type: 'slack', bot_token: slack.token, signing_secret: slack.signingSecret }
  await make({ operation: `PUT ${all}`, path: all, body, by, actions: ['channel.create'] })

  const accounts = '/v1/channel-accounts'
  const own = { path: `${accounts}/support`, by }
  const createCode = { operation: `POST ${accounts}/{name}/code`, path: `${own.path}/code`, by }
  const { code } = await make({ ...createCode, body: {}, actions: [] })
  const said = { type: 'message', channel_type: 'im', channel: 'D1', user: 'U1', ts: '1.1', text: `link ${code}` }
  const event = { type: 'event_callback', team_id: slack.teamId, event_id: 'Ev1', event: said }
  await slack.post(`${base_url}/v1/public/channels/${workspace.slug}/support`, event)
  await make({ ...own, operation: `DELETE ${accounts}/{name}`, actions: ['channel_account.delete'] })

  const browsers = { name: 'browsers', type: 'web_push', contact: 'ops@example.com' }
  await make({ operation: `PUT ${all}`, path: all, body: browsers, by, actions: ['channel.create'] })
  const push = {
    operation: `${accounts}/{name}/push-subscriptions`,
    path: `${accounts}/browsers/push-subscriptions`,
    by,
  }
  const endpoint = 'https://push.example.com/1'
  const p256dh = createECDH('prime256v1').generateKeys('base64url')
  const subscription = { endpoint, keys: { p256dh, auth: 'A'.repeat(22) } }
  const created = { ...push, operation: `PUT ${push.operation}`, body: subscription }
  const { id } = await make({ ...created, actions: ['push_subscription.create'] })
  const ended = { operation: `DELETE ${push.operation}/{id}`, path: `${push.path}/${id}`, by }
  await make({ ...ended, actions: ['push_subscription.delete'] })

  const rules = '/v1/notification-rules'
  const rule = { subject: 'user:ann', channel: 'support' }
  await make({ operation: `PUT ${rules}`, path: rules, body: rule, by, actions: ['notification_rule.update'] })
  const one = { operation: `DELETE ${rules}/{subject}/{channel}`, path: `${rules}/user:ann/support`, by }
  await make({ ...one, actions: ['notification_rule.delete'] })
  const read = { operation: 'POST /v1/notifications/read', path: '/v1/notifications/read', body: {}, by }
  await make({ ...read, actions: [] })
  await make({ operation: `DELETE ${all}/{name}`, path: `${all}/support`, by, actions: ['channel.delete'] })
}

/** Changes the trigger's URL, sends a request to it, and replays its events. */
async function changeHooks({ make, client }: WalkContext): Promise<void> {
  const { body: target } = await client.post<Made>('/v1/pathways', { title: 'Hooked', definition: say })
  const { body: trigger } = await client.post<Made>('/v1/triggers', {
    title: 'Hook',
    trigger_type: 'webhook',
    webhook: { signature: { scheme: 'none' } },
    target: { type: 'pathway', ref: target.id },
  })
  const at = `/v1/triggers/${trigger.id}`
  const one = '/v1/triggers/{id}'
  const { token } = await make({
    operation: `POST ${one}/rotate-token`,
    path: `${at}/rotate-token`,
    body: {},
    actions: ['hook_token.create'],
  })
  const { body: signed } = await client.post<Made>('/v1/triggers', {
    title: 'Signed',
    trigger_type: 'webhook',
    webhook: { signature: { scheme: 'github' } },
    target: { type: 'pathway', ref: target.id },
  })
  await make({
    operation: `POST ${one}/rotate-secret`,
    path: `/v1/triggers/${signed.id}/rotate-secret`,
    body: {},
    actions: ['trigger.rotate_secret'],
  })
  const firing = await make({
    operation: 'POST /v1/public/hooks/{token}',
    path: `/v1/public/hooks/${token}`,
    body: {},
    actions: ['job.start'],
    by: { actor: `trigger:${trigger.slug}`, credential_id: `trigger:${trigger.id}`, person: 'user:ann', headers: {} },
  })
  await make({
    operation: `POST ${one}/runs/{firing_id}/replay`,
    path: `${at}/runs/${firing.firing_id}/replay`,
    body: {},
    actions: ['job.start'],
    isIdempotent: true,
  })
}

async function changeToolkits(
  { make, owner: by, secret }: WalkContext,
  { neurons: ref }: Record<string, string>,
): Promise<void> {
  const all = '/v1/mcp-toolkits'
  const body = { name: 'A toolkit', description: secret, tools: [{ type: 'neuron', ref, description: secret }] }
  const { id } = await make({ operation: `POST ${all}`, path: all, body, by, actions: ['mcp_toolkit.create'] })
  const one = { path: `${all}/${id}`, by }
  await make({ ...one, operation: `PUT ${all}/{id}`, body, actions: ['mcp_toolkit.update'] })
  await make({ ...one, operation: `DELETE ${all}/{id}`, actions: ['mcp_toolkit.delete'] })
}

async function changeBrains({ make, owner: by }: WalkContext): Promise<void> {
  const all = '/v1/brains'
  const { id } = await make({
    operation: `POST ${all}`,
    path: all,
    body: { name: 'One' },
    by,
    actions: ['brain.create'],
  })
  const change = { operation: `PATCH ${all}/{id}`, path: `${all}/${id}`, body: { name: 'Two' }, by }
  await make({ ...change, actions: ['brain.update'] })
  await make({ ...change, actions: [] })
}

async function changeSecrets({ make, owner: by, secret }: WalkContext): Promise<void> {
  const one = { path: '/v1/secrets/crm', by }
  const put = { ...one, operation: 'PUT /v1/secrets/{name}', body: { value: secret, hosts: ['crm.example.com'] } }
  await make({ ...put, actions: ['secret.create'] })
  await make({ ...put, actions: ['secret.update'] })
  await make({ ...one, operation: 'DELETE /v1/secrets/{name}', actions: ['secret.delete'] })
}

/** Changes members and credentials, and acts with a share token. The session ends last. */
async function changeAccess(
  { make, client, owner: by, link_token, workspace, secret }: WalkContext,
  { receptors = '' }: Record<string, string>,
): Promise<void> {
  const link = { operation: 'POST /v1/session/link', path: '/v1/session/link', body: { token: link_token } }
  const visitor = { actor: 'user:ann', credential_id: 'sign-in', headers: {} }
  await make({ ...link, by: visitor, actions: ['session.create'] })

  const calendar = { name: 'office', time_zone: 'Europe/Berlin', hours: { mon: ['09:00-17:00'] } }
  const calendars = '/v1/calendars'
  await make({ operation: `PUT ${calendars}`, path: calendars, body: calendar, by, actions: ['calendar.set'] })
  const named = { operation: `DELETE ${calendars}/{name}`, path: `${calendars}/office`, by }
  await make({ ...named, actions: ['calendar.remove'] })
  const absence = { actor: 'user:ann', substitute: 'user:zoe' }
  const absences = '/v1/absences'
  await make({ operation: `PUT ${absences}`, path: absences, body: absence, by, actions: ['absence.set'] })
  const away = { operation: `DELETE ${absences}/{actor}`, path: `${absences}/user:ann`, by }
  await make({ ...away, actions: ['absence.remove'] })

  const member = { operation: 'PUT /v1/members/{actor}', path: '/v1/members/user:bob', by }
  await make({ ...member, body: { role: 'viewer' }, actions: ['member.set'] })
  const state = (verb: string) => ({
    operation: `POST /v1/members/{actor}/${verb}`,
    path: `${member.path}/${verb}`,
    by,
    actions: [`member.${verb}`],
  })
  await make(state('deactivate'))
  await make(state('reactivate'))
  await make({ ...member, operation: 'DELETE /v1/members/{actor}', actions: ['member.remove'] })
  const handover = { operation: 'POST /v1/members/{actor}/handover', path: `${member.path}/handover`, by }
  // Each reassigned task and trigger would have an entry. Bob had none.
  await make({ ...handover, body: { to: 'user:zoe' }, actions: [] })

  const keys = '/v1/api-keys'
  const create = { operation: `POST ${keys}`, path: keys, body: { name: 'One' }, by }
  const { id } = await make({ ...create, actions: ['api_key.create'] })
  const one = `${keys}/{id}`
  const key = { path: `${keys}/${id}`, by }
  await make({ ...key, operation: `PUT ${one}`, body: { name: 'Two' }, actions: ['api_key.update'] })
  const rotate = { operation: `POST ${one}/rotate`, path: `${key.path}/rotate`, by }
  await make({ ...rotate, body: {}, actions: ['api_key.create', 'api_key.rotate'] })
  await make({ ...key, operation: `DELETE ${one}`, actions: ['api_key.revoke'] })
  await make({ ...key, operation: `DELETE ${one}`, actions: [] })

  for (const [path, word, body] of [
    ['/v1/publishable-keys', 'publishable_key', { name: 'App' }],
    ['/v1/share-tokens', 'share_token', { name: 'Thread', target: { type: 'receptor', id: receptors } }],
  ] as const) {
    const made = await make({ operation: `POST ${path}`, path, body, by, actions: [`${word}.create`] })
    if (word === 'share_token') await useShare({ make, client, workspace, secret, receptors }, made)
    await make({ operation: `DELETE ${path}/{id}`, path: `${path}/${made.id}`, by, actions: [`${word}.revoke`] })
  }
  await make({ operation: 'DELETE /v1/session', path: '/v1/session', by, actions: ['session.revoke'] })
}

async function useShare(
  {
    make,
    client,
    workspace,
    secret,
    receptors,
  }: Pick<WalkContext, 'make' | 'client' | 'workspace' | 'secret'> & {
    receptors: string
  },
  { id, share_token }: Made,
): Promise<void> {
  const by = { credential_id: id, actor: `share:${id}`, headers: {} }
  const body = { message: secret }
  const { trace_id } = await make({
    operation: 'POST /v1/public/receptors/{workspace_slug}/{slug}/invoke',
    path: `/v1/public/receptors/${workspace.slug}/${receptors}/invoke?t=${share_token}`,
    body,
    by,
    actions: ['job.start', 'trace.create'],
  })
  await make({
    operation: 'POST /v1/public/traces/{id}',
    path: `/v1/public/traces/${trace_id}?t=${share_token}`,
    body,
    by,
    actions: ['job.start'],
  })
  await make({
    operation: 'POST /v1/public/files',
    path: `/v1/public/files?t=${share_token}`,
    body: { text: secret },
    by,
    actions: ['file.create'],
  })
  await answerAsVisitor({ make, client, workspace, by, share_token, receptors })
}

/** Points the receptor to another target that asks the visitor. */
async function answerAsVisitor({
  make,
  client,
  workspace,
  by,
  share_token,
  receptors,
}: Pick<WalkContext, 'make' | 'client' | 'workspace'> & {
  by: Visitor
  share_token: string
  receptors: string
}): Promise<void> {
  const ask = { id: 'ask', type: 'human', kind: 'form', form: {}, assignees: ['${run.requester}'] }
  const definition = pathway([ask, { id: 'z', type: 'end' }], 'ask.submit_input > z')
  const { body: saved } = await client.post<Made>('/v1/pathways', { title: 'Asks', definition })
  await client.patch(`/v1/receptors/${receptors}`, { target: { type: 'pathway', ref: saved.id } })
  const address = `/v1/public/receptors/${workspace.slug}/${receptors}/invoke?t=${share_token}`
  const { body: said } = await client.post<Made>(address, { message: 'Ask me.' }, { headers: { Authorization: '' } })
  const [question] = await asked(client, said.job_id)
  const interventionId = question?.interventionId ?? ''
  await make({
    operation: 'POST /v1/public/jobs/{jobId}/input',
    path: `/v1/public/jobs/${said.job_id}/input?t=${share_token}`,
    body: {
      trace: said.trace_id,
      input: { type: 'intervention_response', interventionId, action: 'submit_input', data: {} },
    },
    by,
    actions: ['intervention.answer'],
  })
}
