import { randomUUID } from 'node:crypto'
import { insertFile } from '../../../data/documents/files-store.ts'
import { RESOURCE_KINDS } from '../../../domain/resources/kinds/index.ts'
import { CONTENTS } from '../../attacks/isolation/request-contents.ts'
import type { Target } from '../../attacks/isolation/requests.ts'
import type { Answer } from '../../support/clients/client.ts'
import { type DeclaredOperation, readKeyOperations } from '../../support/clients/declared-operations.ts'
import { piece } from '../../support/speech/meetings.ts'
import { jobWith, pathway, startRun } from '../../support/runs/runs.ts'
import { type ApiServer, startApiServer } from '../../support/tools/tool-servers.ts'
import { useStack } from '../../support/stack/use-stack.ts'

/**
 * The error statuses of the services: the tests provoke every status that the OpenAPI document declares. test/api
 * covers the steps before a service. The client rejects responses that the document does not declare.
 */

const context = useStack()
let api: ApiServer
let operations: DeclaredOperation[]
/** The objects of the workspace that requests may refer to. */
let target: Target

const HOOK = { url: 'https://1.1.1.1/hook', event_types: ['webhook.*'] }

interface Made {
  id: string
  slug: string
  job_id: string
  trace_id: string
}

beforeAll(async () => {
  api = await startApiServer()
  operations = await readKeyOperations(context.workspace.client)
  target = { owned: await createOwned(), marker: 'statuses', workspace: context.workspace }
})
afterAll(() => api.close())

async function create<T = Made>(path: string, body: object): Promise<T> {
  const { status, body: made } = await context.workspace.client.post<T>(path, body)
  if (status > 202) throw new Error(`${path}: ${status} ${JSON.stringify(made)}`)
  return made
}

async function createOwned(): Promise<Target['owned']> {
  const title = 'One'
  const model = 'builtin:extractive'
  const ask = pathway(
    [
      { id: 'ask', type: 'human', kind: 'approval' },
      { id: 'end', type: 'end' },
    ],
    'ask.approve > end',
    'ask.reject > end',
  )
  const neuron = await create('/v1/neurons', { title, model })
  const pets = { source: 'openapi', url: `${api.url}/openapi.json`, openapi: api.document, server_url: `${api.url}/v1` }
  const made = {
    neurons: neuron,
    receptors: await create('/v1/receptors', { title, target: { type: 'neuron', ref: neuron.id } }),
    pathways: await create('/v1/pathways', { title, definition: ask }),
    reflexes: await create('/v1/reflexes', { title, ...pets }),
    skills: await create('/v1/skills', { title }),
    artifacts: await create('/v1/artifacts', { title, content: 'text' }),
    meetings: await create('/v1/meetings', { title }),
    assets: (await create<{ asset: Made }>('/v1/assets/ingest', { title, text: 'text' })).asset,
    stakeholder_maps: await create('/v1/resources/stakeholder_maps', { title, document: {} }),
    triggers: await create('/v1/resources/triggers', {
      title,
      document: { target: { type: 'neuron', ref: neuron.id } },
    }),
  }
  const { job_id } = await create('/v1/jobs', { pathway: ask })
  const { waitingFor } = await jobWith(context.workspace.client, job_id, 'waiting')
  const { job_id: invoked, trace_id } = await create(`/v1/neurons/${neuron.id}/invoke`, {
    message: 'hello',
    stream: true,
  })
  const webhook = await create('/v1/webhooks', HOOK)
  const delivery = await create(`/v1/webhooks/${webhook.id}/test`, {})
  const files = await create('/v1/files', { text: 'text' })
  const ids = Object.entries({ ...made, webhooks: webhook, deliveries: delivery, files }).map(([kind, { id }]) => [
    kind,
    [id],
  ])
  const interventions = (waitingFor ?? []).map(({ interventionId }) => interventionId)
  return { ...Object.fromEntries(ids), jobs: [job_id, invoked], traces: [trace_id], interventions }
}

/** Sends a request that is complete except for the object its path names. */
function send({ name, method }: DeclaredOperation, path: string, about: Target, headers: Record<string, string> = {}) {
  const [{ query = '', body } = {}] = CONTENTS[name]?.(about) ?? []
  return context.workspace.client.call<{ code?: string }>(method, query ? `${path}?${query}` : path, body, { headers })
}

/** Fills the parameters of a path with existing ids. */
function fillPath({ path }: DeclaredOperation, catalog = 'skills'): string {
  const [, , collection = ''] = path.split('/')
  const values: Record<string, string | undefined> = {
    catalog,
    deliveryId: target.owned.deliveries?.[0],
    firing_id: randomUUID(),
    id: target.owned[collection === 'resources' ? catalog : collection]?.[0],
    jobId: target.owned.jobs?.[0],
    name: 'listPets',
    node_id: 'ann',
    slug_or_id: target.owned.receptors?.[0],
    traceId: 'new',
    version: '1',
    workspace_slug: context.workspace.slug,
  }
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
}

/** Fills the parameters of a path with unknown ids. */
function fillUnknown({ path, pathParameters }: DeclaredOperation): string {
  const catalog = pathParameters.includes('id') ? 'skills' : 'nothing'
  const values: Record<string, string> = { catalog, version: '1', workspace_slug: context.workspace.slug }
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? randomUUID())
}

test('a path with an unknown id returns 404 on every route', async () => {
  const unknown = Object.fromEntries(
    [...RESOURCE_KINDS, 'jobs', 'traces', 'interventions', 'recollections', 'webhooks'].map(kind => [
      kind,
      [randomUUID()],
    ]),
  )
  const named = operations.filter(({ pathParameters }) => pathParameters.length > 0)
  const answers: string[] = []
  for (const operation of named) {
    const { status, body } = await send(operation, fillUnknown(operation), { ...target, owned: unknown })
    answers.push(`${operation.name}: ${status} ${body.code}`)
  }
  expect(answers.filter(answer => !answer.endsWith(': 404 NOT_FOUND'))).toEqual([])
  expect(named.every(({ errorStatuses }) => errorStatuses.includes(404))).toBe(true)
})

test('an unknown brain returns 403 on every route that accepts a key', async () => {
  const headers = { 'X-Brain-Id': randomUUID() }
  const wrong: string[] = []
  for (const operation of operations) {
    const { status, body } = await send(operation, fillUnknown(operation), target, headers)
    const isRefused = status === 403 && body.code === 'FORBIDDEN'
    if (isRefused !== operation.errorStatuses.includes(403)) wrong.push(operation.name)
  }
  expect(wrong).toEqual([])
})

test('a reused Idempotency-Key with another request returns 409 on every route that accepts one', async () => {
  const headers = { 'Idempotency-Key': randomUUID() }
  expect((await context.workspace.client.post('/v1/skills', { title: 'First' }, { headers })).status).toBe(201)
  const answers: string[] = []
  for (const operation of operations.filter(({ isIdempotent }) => isIdempotent)) {
    const { status, body } = await send(operation, fillPath(operation), target, headers)
    answers.push(`${operation.name}: ${status} ${body.code}`)
  }
  expect(answers.length).toBeGreaterThan(15)
  expect(answers.filter(answer => !answer.endsWith(': 409 CONFLICT'))).toEqual([])
})

test('a version other than the latest returns 409 on every route that accepts If-Match', async () => {
  const answers: string[] = []
  for (const operation of operations.filter(({ isConditional }) => isConditional)) {
    const { status, body } = await send(operation, fillPath(operation), target, { 'If-Match': '"9"' })
    answers.push(`${operation.name}: ${status} ${body.code}`)
  }
  expect(answers.length).toBeGreaterThan(6)
  expect(answers.filter(answer => !answer.endsWith(': 409 CONFLICT'))).toEqual([])
})

const post = (path: string, body?: object) => context.workspace.client.post(path, body)
const first = (kind: string): string => target.owned[kind]?.[0] ?? ''

/** Deletes a resource, creates another with its slug, and restores the first. */
async function restoreTaken(path: string, fields: object): Promise<Answer<unknown>> {
  const slug = `taken-${path.split('/').at(-1)}`.replaceAll('_', '-')
  const { id } = await create(path, { title: 'One', slug, ...fields })
  await context.workspace.client.del(`${path}/${id}`)
  await create(path, { title: 'Another', slug, ...fields })
  return post(`${path}/${id}/restore`)
}

async function restoreTakenAsset(): Promise<Answer<unknown>> {
  const ingest = (text: string) => create<{ asset: Made }>('/v1/assets/ingest', { title: 'Taken', text })
  const { asset } = await ingest('one text')
  await context.workspace.client.del(`/v1/assets/${asset.id}`)
  await ingest('another text')
  return post(`/v1/assets/${asset.id}/restore`)
}

async function addAudioToEnded(): Promise<Answer<unknown>> {
  const { id } = await create('/v1/meetings', { title: 'Over' })
  await post(`/v1/meetings/${id}/end`)
  return post(`/v1/meetings/${id}/audio`, piece(0))
}

/** Uploads a file when the unused files already have the maximum size. */
async function uploadTooMuch(): Promise<Answer<unknown>> {
  const { id, client } = await context.stack.workspace({ actor: 'user:ann' })
  const row = { id: randomUUID(), actor: 'user:ann', file_name: 'f', media_type: 'text/plain', sha256: 'none' }
  await context.stack.database.db.inWorkspace(id, tx => insertFile(tx, { ...row, charset: null, size: 104_857_600 }))
  return client.post('/v1/files', { text: 'more' })
}

async function addTooManyWebhooks(): Promise<Answer<unknown>> {
  const { client } = await context.stack.workspace()
  for (let n = 0; n < 100; n++) expect((await client.post('/v1/webhooks', HOOK)).status).toBe(201)
  return client.post('/v1/webhooks', HOOK)
}

/** Disables a webhook that has a delivery, and requests another delivery. */
async function deliverDisabled(toPath: (webhook: string, delivery: string) => string): Promise<Answer<unknown>> {
  const { id } = await create('/v1/webhooks', HOOK)
  const delivery = await create(`/v1/webhooks/${id}/test`, {})
  await context.workspace.client.patch(`/v1/webhooks/${id}`, { is_active: false })
  return post(toPath(id, delivery.id))
}

/** Sends a request to a new hook. */
async function sendToHook(webhook: object, fields: object): Promise<Answer<unknown>> {
  const trigger_type = 'webhook'
  const { id } = await create('/v1/triggers', { title: 'Hook', trigger_type, webhook, ...fields })
  const { token } = await create<{ token: string }>(`/v1/triggers/${id}/rotate-token`, {})
  return post(`/v1/public/hooks/${token}`, {})
}

const toPathway = () => ({ target: { type: 'pathway', ref: first('pathways') } })

async function sendToFailing(): Promise<Answer<unknown>> {
  const target = { type: 'neuron', ref: (await createFailing()).id }
  return sendToHook({ signature: { scheme: 'none' }, respond: 'sync' }, { target, input: { message: 'hello' } })
}

/** Creates a neuron whose runs fail, because no output fits its schema. */
const createFailing = () =>
  create('/v1/neurons', {
    title: 'Failing',
    model: 'builtin:extractive',
    neuron_type: 'extraction',
    output_schema: { type: 'integer', minimum: 5, maximum: 4 },
  })

async function invokeFailing(): Promise<Answer<unknown>> {
  return post(`/v1/neurons/${(await createFailing()).id}/invoke`, { message: 'hello' })
}

async function invokeFailingReceptor(): Promise<Answer<unknown>> {
  const { id } = await createFailing()
  const { slug } = await create('/v1/receptors', { title: 'Failing', target: { type: 'neuron', ref: id } })
  return post(`/v1/receptors/${context.workspace.slug}/${slug}/invoke`, { message: 'hello' })
}

/** Calls a tool whose server responds to every request with the same status. */
function callTool(status: number): Promise<Answer<unknown>> {
  const headers = { location: '/v1/pets' }
  api.answers.set(
    '/v1/pets',
    Array.from({ length: 6 }, () => ({ status, headers })),
  )
  return post('/v1/tools/listPets/call', {})
}

const migrate = (pathway: string, filter: object) =>
  post('/v1/jobs/migrate', { pathway, from_version: 1, to_version: 2, filter })

/** Moves a run that has finished. */
async function migrateEnded(): Promise<Answer<unknown>> {
  const { client } = context.workspace
  const { id } = await create('/v1/pathways', { title: 'Moves', definition: say })
  await client.patch(`/v1/pathways/${id}`, { definition: { ...say, run_title: 'Another version' } })
  const { body } = await client.post<{ job_id: string }>('/v1/jobs', { pathway_id: `${id}@1` })
  await jobWith(client, body.job_id)
  return migrate(id, { job_ids: [body.job_id] })
}

/** Undoes a move for a run that was never moved. */
async function undoNothing(): Promise<Answer<unknown>> {
  const { client } = context.workspace
  const jobId = await startRun(client, pathway([{ id: 'hold', type: 'wait', event: 'go on', timeout: 'PT1H' }]))
  await jobWith(client, jobId, 'waiting')
  const refused = await post(`/v1/jobs/${jobId}/migration/undo`, {})
  await post(`/v1/jobs/${jobId}/cancel`)
  return refused
}

const download = (path: string) => context.workspace.client.get<unknown>(path, { headers: { Range: 'bytes=999-' } })

const say = pathway([{ id: 'say', type: 'transform', with: { value: 1 } }])
const PERIOD = { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' }

/** Requests that provoke the errors of handlers, by operation and status. */
const PROVOCATIONS: Record<string, () => Promise<Answer<unknown>>> = {
  'POST /v1/jobs 404': () => post('/v1/jobs', { pathway_id: 'nobody' }),
  'POST /v1/jobs/migrate 404': () => migrate('nobody', { status: ['waiting'] }),
  'POST /v1/jobs/migrate 409': migrateEnded,
  'POST /v1/jobs/{jobId}/migration/undo 409': undoNothing,
  'GET /v1/stakeholders/latest 404': () => context.workspace.client.get('/v1/stakeholders/latest?resource_id=nobody'),
  'GET /v1/stakeholders/diff 404': () =>
    context.workspace.client.get('/v1/stakeholders/diff?resource_id=nobody&from=1&to=live'),
  'GET /v1/stakeholders/graph.svg 404': () =>
    context.workspace.client.get('/v1/stakeholders/graph.svg?resource_id=nobody'),
  'POST /v1/stakeholders/extract 404': () => post('/v1/stakeholders/extract', { resource_id: 'nobody', text: 'Ann' }),
  'POST /v1/share-tokens 404': () =>
    post('/v1/share-tokens', { name: 'x', target: { type: 'receptor', id: 'nobody' } }),
  'DELETE /v1/absence 404': () => context.workspace.client.del('/v1/absence'),
  'GET /v1/recollections 404': () => context.workspace.client.get('/v1/recollections?neuron=nobody'),
  'POST /v1/recollections 404': () => post('/v1/recollections', { neuron: 'nobody', text: 'tea' }),
  'POST /v1/recollections/search 404': () => post('/v1/recollections/search', { neuron: 'nobody', query: 'tea' }),
  'POST /v1/neurons/{id}/invoke 502': invokeFailing,
  'POST /v1/receptors/{workspace_slug}/{slug_or_id}/invoke 502': invokeFailingReceptor,
  'POST /v1/tools/{name}/call 422': () => callTool(404),
  'POST /v1/tools/{name}/call 502': () => callTool(302),
  'GET /v1/assets/{id}/content 416': () => download(`/v1/assets/${first('assets')}/content`),
  'GET /v1/files/{id}/content 416': () => download(`/v1/files/${first('files')}/content`),
  'GET /v1/artifacts/{id}/content 416': () => download(`/v1/artifacts/${first('artifacts')}/content`),
  'POST /v1/files 409': uploadTooMuch,
  'POST /v1/meetings/{id}/audio 409': addAudioToEnded,
  'GET /v1/triggers/{id}/hook 409': () => context.workspace.client.get(`/v1/triggers/${first('triggers')}/hook`),
  'POST /v1/triggers/{id}/rotate-token 409': () => post(`/v1/triggers/${first('triggers')}/rotate-token`),
  'POST /v1/triggers/{id}/rotate-secret 409': () => post(`/v1/triggers/${first('triggers')}/rotate-secret`),
  'POST /v1/public/hooks/{token} 401': () => sendToHook({ signature: { scheme: 'github' } }, toPathway()),
  'POST /v1/public/hooks/{token} 409': () =>
    sendToHook({ signature: { scheme: 'none' } }, { ...toPathway(), paused: true }),
  'POST /v1/public/hooks/{token} 502': sendToFailing,
  'POST /v1/webhooks 409': addTooManyWebhooks,
  'POST /v1/webhooks/{id}/test 409': () => deliverDisabled(id => `/v1/webhooks/${id}/test`),
  'POST /v1/webhooks/{id}/deliveries/{deliveryId}/replay 409': () =>
    deliverDisabled((id, delivery) => `/v1/webhooks/${id}/deliveries/${delivery}/replay`),
  'POST /v1/neurons/{id}/restore 409': () => restoreTaken('/v1/neurons', {}),
  'POST /v1/receptors/{id}/restore 409': () =>
    restoreTaken('/v1/receptors', { target: { type: 'neuron', ref: first('neurons') } }),
  'POST /v1/pathways/{id}/restore 409': () => restoreTaken('/v1/pathways', { definition: say }),
  'POST /v1/reflexes/{id}/restore 409': () => restoreTaken('/v1/reflexes', {}),
  'POST /v1/skills/{id}/restore 409': () => restoreTaken('/v1/skills', {}),
  'POST /v1/artifacts/{id}/restore 409': () => restoreTaken('/v1/artifacts', { content: 'text' }),
  'POST /v1/meetings/{id}/restore 409': () => restoreTaken('/v1/meetings', {}),
  'POST /v1/assets/{id}/restore 409': restoreTakenAsset,
  'POST /v1/triggers/{id}/restore 409': () =>
    restoreTaken('/v1/triggers', { target: { type: 'neuron', ref: first('neurons') } }),
  'POST /v1/triggers/{id}/backfill 409': () => post(`/v1/triggers/${first('triggers')}/backfill`, PERIOD),
  'POST /v1/resources/{catalog}/{id}/restore 409': () =>
    restoreTaken('/v1/resources/stakeholder_maps', { document: {} }),
}

/** Provoked in test/stacks/shared/health.test.ts and test/integration/channels/slack.test.ts, because they need a service. */
const PROVOKED_ELSEWHERE = ['GET /v1/health/ready 503', 'POST /v1/public/channels/{workspace_slug}/{name} 401']

test('the tests provoke every handler error that the document declares', () => {
  const declared = operations.flatMap(({ name, handlerStatuses }) => handlerStatuses.map(status => `${name} ${status}`))
  expect(declared.toSorted()).toEqual([...Object.keys(PROVOCATIONS), ...PROVOKED_ELSEWHERE].toSorted())
})

test.each(Object.entries(PROVOCATIONS))('%s', async (name, provoke) => {
  expect(String((await provoke()).status)).toBe(name.split(' ').at(-1))
})
