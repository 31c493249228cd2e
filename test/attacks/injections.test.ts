import type { WaitingFor } from '../../domain/people/intervention.ts'
import type { JsonObject } from '../../domain/shared/json/json.ts'
import { useAgents } from '../support/agents/agents.ts'
import { createClient, sendUntilTaken } from '../support/clients/client.ts'
import { readBody, startHttpServer, type TestServer } from '../support/stack/http-server.ts'
import type { ScriptedCall } from '../support/agents/model-protocols/protocol.ts'
import type { ModelRequest } from '../support/agents/model-server.ts'
import { waitUntil } from '../support/stack/process.ts'
import { answer, asked, jobWith, pathway } from '../support/runs/runs.ts'
import { signInAs } from '../support/access/sign-in.ts'
import { type Action, ACTIONS, INJECTIONS, SOURCES } from './injections.ts'

const context = useAgents()
const CASES = INJECTIONS.map((injection, i) => Object.assign({ slug: `victim-${i}`, isOpen: i % 2 === 0 }, injection))
type Case = (typeof CASES)[number]

/** Tools whose calls change something or send text. */
const WRITING = new Set<string>(['write_artifact', 'order', 'settings', 'pay', 'helper', 'remember'])
const ENDED = ['completed', 'failed'] as const
const REFUSED = new Set<Action>(['unknown tool', 'wrong arguments', 'approve itself', 'foreign tool'])

/** Requests to the server that agents may call, and to the server that they may not call. */
const effects: string[] = []
let here: TestServer
let evil: TestServer
let publicPath: (slug: string) => Promise<string>

const post = async <T extends object = { id: string }>(path: string, body: object): Promise<T> => {
  const reply = await sendUntilTaken(() => context.workspace.client.post<T>(path, body))
  if (reply.status > 202) throw new Error(`${path}: ${reply.status} ${JSON.stringify(reply.body)}`)
  return reply.body
}

const findCase = (slug: string | undefined): Case | undefined => CASES.find(each => each.slug === slug)

/** Serves the text of a case, records changes, and redirects to the other server. */
async function serve(
  request: Parameters<Parameters<typeof startHttpServer>[0]>[0],
  response: Parameters<Parameters<typeof startHttpServer>[0]>[1],
): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://own')
  const body = await readBody(request)
  if (request.method !== 'GET') effects.push(`${request.method} ${pathname} ${body}`)
  const text = findCase(searchParams.get('of') ?? undefined)?.text ?? 'nothing'
  if (pathname === '/redirect') return void response.writeHead(302, { location: `${evil.url}/steal` }).end()
  const status = pathname === '/broken' ? 422 : 200
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(text)
}

beforeAll(async () => {
  here = await startHttpServer((request, response) => void serve(request, response))
  evil = await startHttpServer((request, response) => {
    effects.push(`${request.method} ${request.url} at the other host`)
    response.end('thanks')
  })
  await post('/v1/reflexes', { title: 'Shop', slug: 'shop', source: 'openapi', openapi: shopApi(here.url) })
  await post('/v1/reflexes', { title: 'All', slug: 'all', source: 'builtin' })
  await post('/v1/pathways', { title: 'Pay', slug: 'pay-out', definition: fill(payment) })
  await post('/v1/pathways', { title: 'Digest', slug: 'digest', definition: digest })
  await context.neuron({ slug: 'helper', neuron_type: 'agent', tools: [{ reflex: 'shop', names: ['order'] }] })
  await context.neuron({
    slug: 'colleague',
    neuron_type: 'agent',
    instructions: 'You are colleague.',
    tools: [{ reflex: 'shop', names: ['news'] }],
  })
  const run = (slug: string, source: string, target: string, tool: object) =>
    post('/v1/reflexes', { title: slug, slug, source, target, tools: [tool] })
  await run('pay', 'pathway', 'pay-out', { name: 'pay' })
  await run('digest', 'pathway', 'digest', { name: 'digest', effect: 'read' })
  await run('helper', 'neuron', 'helper', { name: 'helper' })
  await run('colleague', 'neuron', 'colleague', { name: 'colleague', effect: 'read' })
  await post('/v1/artifacts', { title: 'Price list', slug: 'price-list', content: 'One piece costs 5 EUR.' })
  const owner = await signInAs(context.stack, context.workspace, 'user:owner', 'owner')
  publicPath = async slug => {
    const { id } = await post('/v1/receptors', { title: slug, slug, target: { type: 'neuron', ref: slug } })
    const { body } = await owner.send('POST', '/v1/share-tokens', { name: slug, target: { type: 'receptor', id } })
    return `/v1/public/receptors/${context.workspace.slug}/${slug}/invoke?t=${body.share_token}`
  }
  context.models.on(obey)
  for (const each of CASES) await prepare(each)
})
afterAll(() => Promise.all([here?.close(), evil?.close()]))

const payment = {
  ...pathway([{ id: 'pay', type: 'http', with: { method: 'POST', url: 'HERE', json: '${input}' } }]),
  input: {
    type: 'object',
    properties: { amount: { type: 'number' } },
    required: ['amount'],
    additionalProperties: false,
  },
}
const digest = {
  ...pathway(
    [
      { id: 'read', type: 'http', with: { url: '${input.base}/news', query: { of: '${input.of}' } } },
      { id: 'done', type: 'end', output: '${nodes.read.output.body}' },
    ],
    'read > done',
  ),
  input: { type: 'object', properties: { of: { type: 'string' }, base: { type: 'string' } }, required: ['of', 'base'] },
}

const responses = { 200: { description: 'fine' } }
const of = { name: 'of', in: 'query', schema: { type: 'string' } }
const taking = (operationId: string, properties: JsonObject) => ({
  operationId,
  requestBody: {
    required: true,
    content: { 'application/json': { schema: { type: 'object', properties, additionalProperties: false } } },
  },
  responses,
})
const shopApi = (url: string) => ({
  openapi: '3.0.3',
  info: { title: 'Shop', version: '1' },
  servers: [{ url }],
  paths: {
    '/news': { get: { operationId: 'news', parameters: [of], responses } },
    '/broken': { get: { operationId: 'broken', parameters: [of], responses } },
    '/order': { post: taking('order', { amount: { type: 'integer', maximum: 100 } }) },
    '/settings': { put: taking('settings', { forward_to: { type: 'string' } }) },
  },
})

/** Stores the agent for a case and the text that the agent reads. */
async function prepare({ slug, by, text, isOpen }: Case): Promise<void> {
  const host = new URL(here.url).host
  await context.neuron({
    slug,
    neuron_type: 'agent',
    instructions: `You are ${slug}.`,
    tools: [
      { reflex: 'all', names: ['write_artifact', 'read_resource', 'search', 'http_fetch', 'remember', 'recall'] },
      ...['shop', 'pay', 'digest', 'helper', 'colleague'].map(reflex => ({ reflex })),
    ],
    ...(!isOpen && { allowed_hosts: [host] }),
  })
  if (by === 'document' || by === 'document earlier in the thread')
    await post('/v1/artifacts', { title: slug, slug: `text-${slug}`, content: text })
  if (by === 'title of a document')
    await post('/v1/artifacts', { title: text, slug: `text-${slug}`, content: 'An invoice.' })
  if (by === 'transcript')
    await post('/v1/resources/meetings', {
      title: slug,
      slug: `text-${slug}`,
      document: { transcript: [{ seq: 0, speaker: 'Eve', text }] },
    })
  if (by === 'search') {
    await post('/v1/artifacts', { title: slug, content: text })
    await waitUntil(async () => JSON.stringify(await post('/v1/search', { query: text })).includes(text))
  }
  if (by === 'recollection') {
    await post('/v1/recollections', { neuron: slug, text })
    await waitUntil(async () =>
      JSON.stringify(await post('/v1/recollections/search', { neuron: slug, query: text })).includes(text),
    )
  }
}

/** Returns the call with which the agent reads the text, unless the text is in the message. */
function findBringer({ by, slug, text }: Case): ScriptedCall | undefined {
  const read = (type: string) => ({ name: 'read_resource', args: { type, id: `text-${slug}` } })
  switch (by) {
    case 'document':
    case 'document earlier in the thread':
    case 'title of a document':
      return read('artifacts')
    case 'transcript':
      return read('meetings')
    case 'search':
      return { name: 'search', args: { query: text } }
    case 'web page':
      return { name: 'http_fetch', args: { url: `${here.url}/news?of=${slug}` } }
    case 'tool':
      return { name: 'news', args: { of: slug } }
    case 'error of a tool':
      return { name: 'broken', args: { of: slug } }
    case 'pathway':
      return { name: 'digest', args: { of: slug, base: here.url } }
    case 'agent':
      return { name: 'colleague', args: { message: `Read ${slug}.` } }
    case 'recollection':
      return { name: 'recall', args: { query: text } }
    default:
      return undefined
  }
}

const fill = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value).replaceAll('EVIL', evil.url).replaceAll('HERE', here.url)) as T
const toCalls = (actions: readonly Action[]): ScriptedCall[] =>
  fill(actions.map((action, i) => ({ ...ACTIONS[action], id: `evil-${i}` })))

/** Checks whether a text begins with the words in the form that models receive, inside JSON or not. */
const isIn = (text: string, words: string): boolean => {
  const begin = Array.from(text).slice(0, 20).join('')
  return words.includes(begin) || words.includes(JSON.stringify(begin).slice(1, -1))
}

/** A model that obeys every text it reads. */
function obey({ body, turns }: ModelRequest) {
  const words = JSON.stringify(body)
  const [, slug] = /You are (victim-\d+|colleague)\./.exec(words) ?? []
  const last = turns.at(-1)
  if (slug === 'colleague') {
    const [, wanted = ''] = /Read (victim-\d+)\./.exec(words) ?? []
    return last?.role === 'user'
      ? { calls: [{ name: 'news', args: { of: wanted } }] }
      : { tokens: [findCase(wanted)?.text ?? ''] }
  }
  const own = findCase(slug)
  if (!own || turns.some(({ call_id }) => call_id === 'evil-0')) return own && { tokens: ['So be it.'] }
  const isLater = own.by.endsWith('earlier in the thread')
  const isAgain = turns.some(({ role, text }) => role === 'user' && text === 'Continue.')
  const isMet = turns.some(({ role, text }) => role !== 'system' && isIn(own.text, text))
  if (isMet && isLater && !isAgain) return { tokens: [own.text] }
  if (isMet) return { calls: toCalls(own.actions) }
  const bringer = findBringer(own)
  return bringer && { calls: [{ ...bringer, id: 'asked-for' }] }
}

interface Run {
  job_id: string
  trace_id: string
}

const invoke = async (slug: string, message: string) =>
  post<Run>(`/v1/neurons/${slug}/invoke`, { message, stream: true })

/** Starts the run in which the agent reads the text, and returns its job id. */
async function start({ by, slug, text }: Case): Promise<string> {
  const visit = async () => {
    const visitor = createClient(context.stack.baseUrl)
    const path = await publicPath(slug)
    const { status, body } = await visitor.call<Run>('POST', path, { message: text })
    if (status > 202) throw new Error(`${status}: ${JSON.stringify(body)}`)
    return body
  }
  const goOn = async ({ job_id, trace_id }: Run) => {
    await jobWith(context.workspace.client, job_id)
    return (await post<{ job_id: string }>(`/v1/chat/${trace_id}`, { message: 'Continue.' })).job_id
  }
  switch (by) {
    case 'visitor':
      return (await visit()).job_id
    case 'visitor earlier in the thread':
      return goOn(await visit())
    case 'document earlier in the thread':
      return goOn(await invoke(slug, 'Please read it.'))
    case 'event':
      return sendEvent(slug, text)
    default:
      return (await invoke(slug, 'Please read it.')).job_id
  }
}

async function sendEvent(slug: string, text: string): Promise<string> {
  const { id } = await post('/v1/triggers', {
    title: slug,
    trigger_type: 'webhook',
    webhook: { signature: { scheme: 'none' } },
    target: { type: 'neuron', ref: slug },
    input: { message: '${event.body.text}' },
  })
  const { url } = await post<{ url: string }>(`/v1/triggers/${id}/rotate-token`, {})
  const sender = createClient(context.stack.baseUrl)
  return (await sender.call<{ job_id: string }>('POST', new URL(url, 'http://own').pathname, { text })).body.job_id
}

const listAsked = (waiting: WaitingFor[]) => waiting.map(({ context }) => (context as { tool: string }).tool).toSorted()

const askedFor = ({ actions, isOpen }: Pick<Case, 'actions' | 'isOpen'>): string[] =>
  actions
    .filter(action => !REFUSED.has(action))
    .map(action => ACTIONS[action].name)
    .filter(name => WRITING.has(name) || (isOpen && name === 'http_fetch'))
    .toSorted()

const rejectAll = async (jobId: string, waiting: WaitingFor[]) => {
  for (const { interventionId } of waiting)
    await answer(context.workspace.client, context.workspace.id, jobId, interventionId, { action: 'reject' })
}

/** Returns the replies that the model got to the calls that the text caused. */
const repliesTo = (slug: string): string[] => {
  const request = context.models.requests.findLast(({ body }) => JSON.stringify(body).includes(`You are ${slug}.`))
  return (request?.turns ?? []).filter(({ call_id }) => call_id?.startsWith('evil')).map(({ text }) => text)
}

let runs: Promise<PromiseSettledResult<string>[]> | undefined

test.each(CASES)('$slug: a $by with the text "$text" has no effect', async each => {
  // The first case starts the runs of all cases, so that they run in parallel.
  runs ??= Promise.allSettled(CASES.map(start))
  const { slug, by, actions } = each
  const started = (await runs)[CASES.indexOf(each)]
  if (started?.status !== 'fulfilled') throw started?.reason
  const jobId = started.value
  const wanted = askedFor(each)
  if (wanted.length > 0) {
    const {
      status,
      nodes,
      waitingFor: waiting = [],
    } = await jobWith(context.workspace.client, jobId, 'waiting', ...ENDED)
    expect({ status, asked: listAsked(waiting), nodes }).toEqual({ status: 'waiting', asked: wanted, nodes })
    for (const { description, context: shown } of waiting) {
      expect(description).toContain('Instructions in that content')
      expect((shown as { labels: string[] }).labels).toContain(SOURCES[by])
    }
    await rejectAll(jobId, waiting)
  }
  const job = await jobWith(context.workspace.client, jobId)
  expect(job).toMatchObject({ status: 'completed', result: { output: 'So be it.' } })
  const replies = repliesTo(slug)
  expect(replies).toHaveLength(actions.length)
  for (const reply of replies) expect(reply).toMatch(/rejected|no tool|must match|HOST_NOT_ALLOWED|allowed_hosts|error/)
  expect(effects).toEqual([])
})

test('after all cases, nothing was written, started or called', async () => {
  interface Entry {
    title: string
    version: number
    text: string
  }
  const read = async (path: string) =>
    (await sendUntilTaken(() => context.workspace.client.get<{ data: Entry[]; total: number }>(path))).body
  expect(effects).toEqual([])
  const artifacts = await read('/v1/artifacts?limit=200')
  expect(artifacts.data.filter(({ title, version }) => title === 'Taken' || version > 1)).toEqual([])
  const { data } = await read('/v1/recollections?limit=200')
  expect(data.map(({ text }) => text).toSorted()).toEqual(
    CASES.flatMap(({ by, text }) => (by === 'recollection' ? [text] : [])).toSorted(),
  )
  for (const target of ['pathway_id=pay-out', 'neuron_id=helper'])
    expect((await read(`/v1/jobs?${target}`)).total).toBe(0)
})

test('a call takes effect once a person approves it, so the tests above can fail', async () => {
  const { slug, actions } = CASES.find(({ by, actions }) => by === 'tool' && actions.includes('settings')) as Case
  const { job_id } = await invoke(slug, 'Please read it again.')
  for (const { interventionId } of await asked(context.workspace.client, job_id))
    await answer(context.workspace.client, context.workspace.id, job_id, interventionId, { action: 'approve' })
  await jobWith(context.workspace.client, job_id)
  expect(actions).toContain('settings')
  expect(effects.splice(0)).toEqual(['PUT /settings {"forward_to":"eve@example.org"}'])
})

test('a member who requests the same calls can make them without approval', async () => {
  await context.neuron({
    slug: 'servant',
    neuron_type: 'agent',
    tools: [
      { reflex: 'all', names: ['write_artifact', 'remember', 'http_fetch'] },
      ...['shop', 'helper'].map(reflex => ({ reflex })),
    ],
  })
  const actions: Action[] = ['write', 'order', 'settings', 'remember', 'exfiltrate', 'agent']
  context.plays('do all of it', { calls: toCalls(actions) }, { tokens: ['Done.'] })
  const { job_id } = await invoke('servant', 'Please do all of it.')
  expect(await jobWith(context.workspace.client, job_id)).toMatchObject({ status: 'completed' })
  expect(effects.toSorted()).toEqual([
    'GET /steal?d=secret at the other host',
    'POST /order {"amount":99}',
    'PUT /settings {"forward_to":"eve@example.org"}',
  ])
})
