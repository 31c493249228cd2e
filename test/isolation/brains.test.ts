import { randomUUID } from 'node:crypto'
import { JOB_KINDS } from '../../domain/jobs.ts'
import type { JobDetail, JobSummaryView } from '../../services/jobs/types.ts'
import type { ApiClient } from '../support/client.ts'
import { eventsOf, jobWith } from '../support/runs.ts'
import { type SpeechServer, startSpeechServer } from '../support/speech-server.ts'
import { type Stack, startStack, type TestWorkspace } from '../support/stack.ts'
import { type ApiServer, startApiServer } from '../support/tool-servers.ts'
import { createOneOfEverything, type Owned } from './one-of-everything.ts'
import { buildRequests, listOperations, type OpenApi, type Operation, type WalkRequest } from './requests.ts'

/** Every route, called by a key of another brain. The tests follow one another. */

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
let stack: Stack
let workspace: TestWorkspace
let brains: [string, string]
let insider: ApiClient
let outsider: ApiClient
/** What a key of the first brain has created, and what has no brain. */
let own: OwnedSet
let shared: OwnedSet
let operations: Operation[]
let before: Record<string, unknown>

beforeAll(async () => {
  ;[speech, api] = await Promise.all([startSpeechServer(), startApiServer()])
  stack = await startStack({ env: { SPEECH_URL: speech.base_url } })
  workspace = await stack.workspace({ actor: 'user:cy' })
  brains = [workspace.brain_id, await workspace.newBrain()]
  ;[insider, outsider] = await Promise.all([workspace.boundTo(brains[0]), workspace.boundTo(brains[1])])
  const tools = [{ name: 'read_resource' }, { name: 'search' }]
  await workspace.client.post('/v1/reflexes', { title: 'Reader', slug: 'reader', source: 'builtin', tools })
  own = await createSet(insider, 'zebraquartz', 'nimbus4417')
  shared = await createSet(workspace.client, 'commonquartz', 'cumulus4417')
  operations = listOperations((await workspace.client.get<OpenApi>('/v1/openapi.json')).body)
  before = await readEverything(insider)
})
afterAll(async () => {
  await stack?.stop()
  await Promise.all([speech?.close(), api?.close()])
})

async function createSet(client: ApiClient, marker: string, secret: string): Promise<OwnedSet> {
  const openapi_url = `${api.url}/openapi.json`
  return { owned: await createOneOfEverything(client, { marker, secret, speech, openapi_url }), marker, secret }
}

const buildAll = (list: Operation[], { owned, marker }: OwnedSet): WalkRequest[] =>
  list.flatMap(operation => buildRequests(operation, { owned, marker, workspace }))

const isRead = ({ name }: Operation) => name.startsWith('GET') || /\/(?:browse|tree|resource-tree|search)$/.test(name)

/** Reads before writes: what the caller itself writes names what it was refused. */
const readsFirst = (list: Operation[]) => list.toSorted((one, other) => Number(isRead(other)) - Number(isRead(one)))

/** All that a key can read and that does not change by being read. */
async function readEverything(client: ApiClient): Promise<Record<string, unknown>> {
  const stable = operations.filter(operation => {
    const { name, isStream } = operation
    return isRead(operation) && !isStream && !/health|config|openapi|docs|usage|\/search$/.test(name)
  })
  const view: Record<string, unknown> = {}
  for (const request of [own, shared].flatMap(set => buildAll(stable, set)))
    view[toText(request)] = (await send(client, request)).body
  return view
}

const toText = ({ method, path, body }: WalkRequest) => `${method} ${path} ${JSON.stringify(body) ?? ''}`.slice(0, 300)

/** An answer that the OpenAPI document does not describe has the status 0. */
const send = (client: ApiClient, { method, path, body }: WalkRequest, brainId?: string): Promise<Seen> =>
  client
    .call<unknown>(method, path, body, brainId === undefined ? {} : { headers: { 'X-Brain-Id': brainId } })
    .catch((error: unknown) => ({ status: 0, body: String(error) }))

const listIds = ({ owned }: OwnedSet): string[] => Object.values(owned).flat()

/** The texts and ids of the set in an answer, except those that the request names. */
function findLeaks(set: OwnedSet, request: WalkRequest, { body }: Seen): string[] {
  const [sent, received] = [JSON.stringify(request), JSON.stringify(body) ?? '']
  return [set.secret, ...listIds(set)].filter(text => received.includes(text) && !sent.includes(text))
}

/** Replaces the ids of a set by ids of the same form that nothing has. */
function createRename(set: OwnedSet): (text: string) => string {
  const pairs = listIds(set)
    .toSorted((one, other) => other.length - one.length)
    .map(id => [id, id.replace(/[\da-f-]{36}$/, randomUUID()).replace(set.marker, `no-${randomUUID().slice(0, 8)}`)])
  return text => pairs.reduce((result, [id = '', other = '']) => result.replaceAll(id, other), text)
}

test('the walk names a job of every kind, and something of every collection', async () => {
  for (const { owned } of [own, shared]) expect(Object.entries(owned).filter(([, ids]) => ids.length === 0)).toEqual([])
  const { body } = await insider.get<{ jobs: JobSummaryView[] }>('/v1/jobs?limit=200')
  const kinds = body.jobs.flatMap(({ kind, brain_id }) => (brain_id === brains[0] ? kind : []))
  expect(new Set(kinds)).toEqual(new Set(JOB_KINDS))
})

test('a key of another brain gets the answers that it gets for unknown ids', async () => {
  const rename = createRename(own)
  const problems: string[] = []
  for (const request of buildAll(readsFirst(operations), own)) {
    const renamed = JSON.parse(rename(JSON.stringify(request))) as WalkRequest
    const [there, unknown, within] = await Promise.all([
      send(outsider, request),
      send(outsider, renamed),
      send(outsider, request, brains[1]),
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

test('it cannot name the other brain', async () => {
  const problems: string[] = []
  for (const request of buildAll(operations, own)) {
    const { operation, body } = request
    if (operation.isPublic) continue
    const sent = [await send(outsider, request, brains[0])]
    if (operation.hasBrain) sent.push(await send(outsider, { ...request, body: { ...body, brain_id: brains[0] } }))
    if (sent.some(({ status }) => status !== 403))
      problems.push(`${toText(request)}: ${sent.map(({ status }) => status).join()}`)
  }
  expect(problems).toEqual([])
})

test('its runs have found nothing of the brain', async () => {
  const { body } = await outsider.get<{ jobs: JobDetail[] }>('/v1/jobs?limit=200')
  const jobs = body.jobs.filter(({ brain_id }) => brain_id === brains[1])
  expect(jobs.length).toBeGreaterThan(0)
  for (const { job_id, trace_id } of jobs) {
    const texts: unknown[] = [await jobWith(outsider, job_id), await eventsOf(outsider, job_id)]
    if (trace_id !== null) texts.push((await outsider.get(`/v1/traces/${trace_id}`)).body)
    expect(JSON.stringify(texts)).not.toContain(own.secret)
  }
})

/** They read what they name, and what they write is the caller's own. */
const USES = /\/(?:invoke|execute|dry-run|call|new)$|\/resources\/\w+$/

test('what has no brain is read-only for it', async () => {
  const changes = operations.filter(operation => !isRead(operation) && operation.name.includes('{'))
  const problems: string[] = []
  for (const request of buildAll(changes, shared).filter(({ path }) => !USES.test(path))) {
    const { status } = await send(outsider, request)
    if (status < 400) problems.push(`${toText(request)}: ${status}`)
  }
  expect(problems).toEqual([])
})

test('nothing has changed for the keys of the brain', async () => {
  expect(await readEverything(insider)).toEqual(before)
})

/** Every operation after those that it would prevent from succeeding. */
const ORDER = [
  /^GET/,
  /pause$/,
  /resume$/,
  /input$/,
  /^POST (?!.*(?:end|cancel|restore)$)|^PATCH/,
  /end$/,
  /cancel$/,
  /^DELETE/,
  /restore$/,
]

test('the same requests succeed with a key of the brain', async () => {
  const place = ({ name }: Operation) => ORDER.findIndex(pattern => pattern.test(name))
  const problems: string[] = []
  for (const operation of operations.toSorted((one, other) => place(one) - place(other))) {
    const requests = buildRequests(operation, { ...own, workspace })
    const statuses = await Promise.all(
      requests.map(request => (operation.isStream ? openStream(request) : send(insider, request))),
    )
    if (!statuses.some(({ status }) => status > 0 && status < 400))
      problems.push(`${operation.name}: ${statuses.map(({ status }) => status).join()}`)
  }
  expect(problems).toEqual([])
})

async function openStream({ path }: WalkRequest): Promise<{ status: number }> {
  const closed = new AbortController()
  const status = await insider.sse(path, { signal: closed.signal }).then(
    () => 200,
    () => 404,
  )
  closed.abort()
  return { status }
}
