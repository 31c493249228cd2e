import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { JOB_KINDS } from '../../../domain/runs/jobs.ts'
import type { JobDetail, JobSummaryView } from '../../../contract/runs/job.ts'
import { type ApiClient, Refusal, withHeaders } from '../../support/clients/client.ts'
import { waitUntil } from '../../support/stack/process.ts'
import { readEvents, jobWith } from '../../support/runs/runs.ts'
import { connectScriptedStack } from '../../support/agents/scripted-providers.ts'
import type { SpeechServer } from '../../support/speech/speech-server.ts'
import type { ConnectedStack, TestWorkspace } from '../../support/stack/stack.ts'
import { type ApiServer, startApiServer } from '../../support/tools/tool-servers.ts'
import { createOneOfEverything, type Owned } from './one-of-everything.ts'
import { buildRequests, listOperations, type OpenApi, type Operation, type WalkRequest } from './requests.ts'
import { execute } from '../../../data/shared/statements.ts'

/** Calls every route in the context of another brain. Each test builds on the previous one. */

interface OwnedSet {
  owned: Owned
  marker: string
  secret: string
}

interface Seen {
  status: number
  body: unknown
}

let speech: SpeechServer
let api: ApiServer
let stack: ConnectedStack
let workspace: TestWorkspace
let brains: [string, string]
let insider: ApiClient
let outsider: ApiClient
/** Uses a key for all brains, and specifies the second brain in requests. */
let visitor: ApiClient
/** Objects created with a key of the first brain, and objects without a brain. */
let own: OwnedSet
let shared: OwnedSet
let operations: Operation[]
let before: Record<string, unknown>

beforeAll(async () => {
  ;[{ stack, speech }, api] = await Promise.all([connectScriptedStack(), startApiServer()])
  workspace = await stack.workspace({ actor: 'user:cy' })
  brains = [workspace.brain_id, await workspace.newBrain()]
  ;[insider, outsider] = await Promise.all([workspace.boundTo(brains[0]), workspace.boundTo(brains[1])])
  visitor = withHeaders(workspace.client, { 'X-Brain-Id': brains[1] })
  const tools = [{ name: 'read_resource' }, { name: 'search' }]
  const reader = { title: 'Reader', slug: 'reader', source: 'builtin', tools, scope: 'workspace' }
  await workspace.client.post('/v1/reflexes', reader)
  own = await createSet(insider, 'zebraquartz', 'nimbus4417')
  shared = await createShared('commonquartz', 'cumulus4417')
  operations = listOperations((await workspace.client.get<OpenApi>('/v1/openapi.json')).body)
  before = await readEverything(insider)
})
afterAll(async () => {
  await Promise.all([stack?.stop(), api?.close()])
})

async function createSet(client: ApiClient, marker: string, secret: string): Promise<OwnedSet> {
  const openapi_url = `${api.url}/openapi.json`
  return { owned: await createOneOfEverything(client, { marker, secret, speech, openapi_url }), marker, secret }
}

/**
 * Creates objects without a brain. Every credential works in a brain, so the runs are removed from their brain
 * afterwards.
 */
async function createShared(marker: string, secret: string): Promise<OwnedSet> {
  const brain = await workspace.newBrain()
  const set = await createSet(await workspace.boundTo(brain), marker, secret)
  await stack.database.db.inWorkspace(workspace.id, async tx => {
    await execute(tx, `update resources set brain_id = null, scope = 'workspace' where brain_id = $1`, [brain])
    for (const table of ['resource_versions', 'jobs', 'traces', 'webhooks'])
      await execute(tx, `update ${table} set brain_id = null where brain_id = $1`, [brain])
  })
  await waitUntil(async () => {
    const { body } = await visitor.post('/v1/search', { query: 'merges', mode: 'keyword' })
    return JSON.stringify(body).includes(secret)
  })
  return set
}

const buildAll = (list: Operation[], { owned, marker }: OwnedSet): WalkRequest[] =>
  list.flatMap(operation => buildRequests(operation, { owned, marker, workspace }))

const isRead = ({ name }: Operation) => name.startsWith('GET') || /\/(?:browse|tree|resource-tree|search)$/.test(name)

/** Reads come before writes, because the caller's own writes may contain names that the caller was denied. */
const readsFirst = (list: Operation[]) => list.toSorted((one, other) => Number(isRead(other)) - Number(isRead(one)))

/** Reads everything that a key can read and that does not change by reading it. */
async function readEverything(client: ApiClient): Promise<Record<string, unknown>> {
  const stable = operations.filter(operation => {
    const { name, isStream } = operation
    return isRead(operation) && !isStream && !/health|config|openapi|docs|usage|absences|\/search$/.test(name)
  })
  const view: Record<string, unknown> = {}
  for (const request of [own, shared].flatMap(set => buildAll(stable, set)))
    view[toText(request)] = omitSigning((await send(client, request)).body)
  return view
}

/** Removes the time at which the evidence was read, because each response is signed with its time. */
function omitSigning(body: unknown): unknown {
  const { document, signature, ...rest } = (body ?? {}) as { document?: { schema?: string }; signature?: unknown }
  if (signature === undefined || document?.schema !== 'evidence/2') return body
  return { ...rest, document: { ...document, created_at: '' } }
}

const toText = ({ method, path, body }: WalkRequest) => `${method} ${path} ${JSON.stringify(body) ?? ''}`.slice(0, 300)

/** A response that the OpenAPI document does not describe gets the status 0. */
const send = (client: ApiClient, { method, path, body }: WalkRequest, brainId?: string): Promise<Seen> =>
  client
    .call<unknown>(method, path, body, brainId === undefined ? {} : { headers: { 'X-Brain-Id': brainId } })
    .catch((error: unknown) => ({ status: 0, body: String(error) }))

const openStream = ({ path }: WalkRequest, client = insider): Promise<Seen> => {
  const closed = new AbortController()
  const opened = client.sse(path, { signal: closed.signal }).then(
    () => ({ status: 200, body: undefined }),
    (error: unknown) => (error instanceof Refusal ? error.answer : Promise.reject(error)),
  )
  return opened.finally(() => closed.abort())
}

/**
 * Sends a request, or only opens an endless stream. test/integration/webhooks/events.test.ts covers the contents of
 * such streams.
 */
const ask = (client: ApiClient, request: WalkRequest): Promise<Seen> =>
  request.operation.isStream && !request.operation.name.includes('{')
    ? openStream(request, client)
    : send(client, request)

const listIds = ({ owned }: OwnedSet): string[] => Object.values(owned).flat()

/** Returns the set's secret and ids that appear in the response but not in the request. */
function findLeaks(set: OwnedSet, request: WalkRequest, { body }: Seen): string[] {
  const [sent, received] = [JSON.stringify(request), JSON.stringify(body) ?? '']
  return [set.secret, ...listIds(set)].filter(text => received.includes(text) && !sent.includes(text))
}

/** Returns a function that replaces the ids in a set with unused ids of the same form. */
function createRename(set: OwnedSet): (text: string) => string {
  const pairs = listIds(set)
    .toSorted((one, other) => other.length - one.length)
    .map(id => [id, id.replace(/[\da-f-]{36}$/, randomUUID()).replace(set.marker, `no-${randomUUID().slice(0, 8)}`)])
  return text => pairs.reduce((result, [id = '', other = '']) => result.replaceAll(id, other), text)
}

test('the walk covers a job of every kind and an element in every collection', async () => {
  for (const { owned } of [own, shared]) expect(Object.entries(owned).filter(([, ids]) => ids.length === 0)).toEqual([])
  const { body } = await insider.get<{ jobs: JobSummaryView[] }>('/v1/jobs?limit=200')
  const kinds = body.jobs.flatMap(({ kind, brain_id }) => (brain_id === brains[0] ? kind : []))
  expect(new Set(kinds)).toEqual(new Set(JOB_KINDS))
})

test('a key for another brain, and a request that names another brain, get the responses for unknown ids', async () => {
  const rename = createRename(own)
  const problems: string[] = []
  for (const request of buildAll(readsFirst(operations), own)) {
    const renamed = JSON.parse(rename(JSON.stringify(request))) as WalkRequest
    const [there, unknown, within] = await Promise.all([
      ask(outsider, request),
      ask(outsider, renamed),
      ask(visitor, request),
    ])
    const leaks = [there, within].flatMap(seen => findLeaks(own, request, seen))
    const isNamed = JSON.stringify(renamed) !== JSON.stringify(request)
    const answers = [there, unknown, within].map(({ status, body }) =>
      status >= 400 || status === 0 ? `${status} ${rename(JSON.stringify(body))}` : `${status}`,
    )
    const isOther = isNamed && new Set(answers).size > 1
    const isFound = renamed.path.split('?')[0] !== request.path.split('?')[0] && there.status < 400
    if (leaks.length > 0 || isOther || isFound || there.status === 0)
      problems.push(`${toText(request)}: ${answers.join(', ')} ${leaks.join(' ')}`)
  }
  expect(problems).toEqual([])
})

test('the key cannot name the other brain', async () => {
  const problems: string[] = []
  for (const request of buildAll(operations, own)) {
    const { operation, body } = request
    if (operation.isPublic) continue
    const sent = [await send(outsider, request, brains[0])]
    if (operation.hasBody) sent.push(await send(outsider, { ...request, body: { ...body, brain_id: brains[0] } }))
    if (sent.some(({ status }) => status !== 403))
      problems.push(`${toText(request)}: ${sent.map(({ status }) => status).join()}`)
  }
  expect(problems).toEqual([])
})

test('runs started with the key have found nothing in the brain', async () => {
  const { body } = await outsider.get<{ jobs: JobDetail[] }>('/v1/jobs?limit=200')
  const jobs = body.jobs.filter(({ brain_id }) => brain_id === brains[1])
  expect(jobs.length).toBeGreaterThan(0)
  for (const { job_id, trace_id } of jobs) {
    const texts: unknown[] = [await jobWith(outsider, job_id), await readEvents(outsider, job_id)]
    if (trace_id !== null) texts.push((await outsider.get(`/v1/traces/${trace_id}`)).body)
    expect(JSON.stringify(texts)).not.toContain(own.secret)
  }
})

/** These routes read the object in the path, and write only the caller's own objects. */
const USES = /\/(?:invoke|execute|dry-run|call|new)$|\/resources\/\w+$/

test('objects without a brain are read-only for the key', async () => {
  const changes = operations.filter(operation => !isRead(operation) && operation.name.includes('{'))
  const problems: string[] = []
  for (const request of buildAll(changes, shared).filter(({ path }) => !USES.test(path))) {
    const { status } = await send(outsider, request)
    if (status < 400) problems.push(`${toText(request)}: ${status}`)
  }
  expect(problems).toEqual([])
})

test('objects without a brain are visible from every brain', async () => {
  const reads = operations.filter(({ name }) => /^GET.*\{(?:id|jobId)\}/.test(name))
  const problems: string[] = []
  for (const request of buildAll(reads, shared)) {
    const ask = (client: ApiClient) =>
      request.operation.isStream ? openStream(request, client) : send(client, request)
    const [there, here] = await Promise.all([ask(visitor), ask(workspace.client)])
    if (
      there.status !== here.status ||
      (!request.operation.isStream && !isDeepStrictEqual(omitSigning(there.body), omitSigning(here.body)))
    )
      problems.push(`${toText(request)}: ${there.status}, ${here.status}`)
  }
  expect(problems).toEqual([])
})

test('every route with a body rejects a request with different brains in header and body', async () => {
  const problems: string[] = []
  for (const operation of operations.filter(({ hasBody, isPublic }) => hasBody && !isPublic)) {
    const [request] = buildRequests(operation, { ...own, workspace })
    if (!request) continue
    const body = { ...request.body, brain_id: brains[0] }
    const { status, body: reply } = await send(visitor, { ...request, body })
    const [detail] = (reply as { details?: { pointer: string; message: string }[] }).details ?? []
    const saysBoth = brains.every(brain => detail?.message.includes(brain))
    if (status !== 400 || detail?.pointer !== '/brain_id' || !saysBoth)
      problems.push(`${toText(request)}: ${status} ${JSON.stringify(reply)}`)
  }
  expect(problems).toEqual([])
})

/** The routes that create, list or search resources, or start a run. */
const BRAIN_SCOPED = [
  'GET /v1/artifacts',
  'GET /v1/assets',
  'GET /v1/automations/graph',
  'GET /v1/meetings',
  'GET /v1/neurons',
  'GET /v1/pathways',
  'GET /v1/receptors',
  'GET /v1/recollections',
  'GET /v1/reflexes',
  'GET /v1/resources/tree',
  'GET /v1/resources/{catalog}',
  'GET /v1/search',
  'GET /v1/skills',
  'GET /v1/tools',
  'GET /v1/triggers',
  'POST /v1/artifacts',
  'POST /v1/assets/ingest',
  'POST /v1/browse',
  'POST /v1/browse/resource-tree',
  'POST /v1/chat/{traceId}',
  'POST /v1/files',
  'POST /v1/jobs',
  'POST /v1/jobs/bulk',
  'POST /v1/meetings',
  'POST /v1/neurons',
  'POST /v1/neurons/{id}/invoke',
  'POST /v1/pathways',
  'POST /v1/pathways/dry-run',
  'POST /v1/pathways/validate',
  'POST /v1/pathways/{id}/dry-run',
  'POST /v1/pathways/{id}/execute',
  'POST /v1/receptors',
  'POST /v1/receptors/{workspace_slug}/{slug_or_id}/invoke',
  'POST /v1/recollections',
  'POST /v1/recollections/search',
  'POST /v1/reflexes',
  'POST /v1/resources/move',
  'POST /v1/resources/tree',
  'POST /v1/resources/{catalog}',
  'POST /v1/search',
  'POST /v1/skills',
  'POST /v1/stakeholders/extract',
  'POST /v1/tools/{name}/call',
  'POST /v1/transcribe',
  'POST /v1/triggers',
  'POST /v1/webhooks',
]

test('a key without a default brain must specify a brain exactly where one is needed', async () => {
  const homeless = await workspace.boundTo(brains[1], await workspace.newBrain())
  const scoped: string[] = []
  for (const operation of operations.filter(({ isStream, isPublic }) => !isStream && !isPublic)) {
    const [request] = buildRequests(operation, { ...own, workspace })
    const reply = request && (await send(homeless, request))
    if (reply?.status === 403 && JSON.stringify(reply.body).includes('X-Brain-Id')) scoped.push(operation.name)
  }
  expect(scoped.toSorted()).toEqual(BRAIN_SCOPED.toSorted())
  const named = await homeless.post('/v1/browse', { type: 'skills', brain_id: brains[1] })
  expect(named.status).toBe(200)
})

test('keys for the brain still see its objects unchanged', async () => {
  expect(await readEverything(insider)).toEqual(before)
})

/** Puts operations after the operations that they would break. */
const ORDER = [
  /^GET/,
  /(?:comments|claim)$/,
  /release$/,
  /reassign$/,
  /pause$/,
  /resume$/,
  /input$/,
  /^POST (?!.*(?:end|cancel|restore)$)|^PATCH/,
  /end$/,
  /cancel$/,
  /^DELETE/,
  /restore$/,
]

/**
 * An absence applies to all brains of a person, a task for everyone cannot be delegated, no run has been moved, and no
 * channel exists.
 */
const REFUSED = new Set([
  'PUT /v1/absence',
  'DELETE /v1/absence',
  'POST /v1/interventions/{id}/delegate',
  'POST /v1/jobs/{jobId}/migration/undo',
  'PUT /v1/notification-rules',
  'DELETE /v1/notification-rules/{subject}/{channel}',
  'POST /v1/public/channels/{workspace_slug}/{name}',
])

test('the same requests succeed with a key for the brain', async () => {
  const place = ({ name }: Operation) => ORDER.findIndex(pattern => pattern.test(name))
  const problems: string[] = []
  for (const operation of operations.toSorted((one, other) => place(one) - place(other))) {
    const requests = buildRequests(operation, { ...own, workspace })
    const statuses = await Promise.all(
      requests.map(request => (operation.isStream ? openStream(request) : send(insider, request))),
    )
    if (!REFUSED.has(operation.name) && !statuses.some(({ status }) => status > 0 && status < 400))
      problems.push(`${operation.name}: ${statuses.map(({ status }) => status).join()}`)
  }
  expect(problems).toEqual([])
})
