import { randomUUID } from 'node:crypto'
import { type ChatSession, type ChatStorage, createChatSession } from '@ganglion/client/chat'
import { AbortedError, type PublicEvent, type Schema } from '@ganglion/client'
import { waitUntil } from '../../support/stack/process.ts'
import { refusal, type Reply, type SeenRequest, startServer } from './http-server.ts'

const TRACE = randomUUID()
const FILE = randomUUID()
const TASK: Schema<'SharedTask'> = {
  job_id: 'job-1',
  interventionId: randomUUID(),
  kind: 'questions',
  title: 'Which gate?',
  actions: ['answer_questions', 'decline_questions'],
  questions: [{ id: 'answer', text: 'Which gate?' }],
  opened_at: '2026-11-28T12:00:00.000Z',
  status: 'open',
}

interface Service {
  /** Replaces the response to a message. */
  invoke?: (count: number) => Reply | 'hang' | undefined
  /** Replaces the response to an upload. */
  upload?: Reply | 'hang'
  /** Events of the run. A stream without a terminal event stays open. */
  events: PublicEvent[]
  messages?: { role: 'user' | 'assistant'; text: string; job_id: string }[]
  tasks?: object[]
  openRuns?: string[]
}

const isTerminal = ({ type }: PublicEvent) => type === 'complete' || type === 'error'

/** Starts a service with one thread. Returns the keys and the queries that it has seen. */
async function startService(service: Service) {
  const keys: unknown[] = []
  const streams: string[] = []
  const server = await startServer(({ method, url, headers }: SeenRequest, _, response) => {
    const { pathname, search } = new URL(url, 'http://service')
    if (pathname.endsWith('/invoke')) {
      keys.push(headers['idempotency-key'])
      const reply = service.invoke?.(keys.length)
      return reply ?? { status: 202, body: { job_id: 'job-1', trace_id: TRACE, status: 'pending' } }
    }
    if (pathname.endsWith('/files')) return service.upload ?? { status: 201, body: { id: FILE } }
    if (pathname.endsWith('/stream')) {
      streams.push(search)
      const text = service.events.map((event, i) => `id: ${i + 1}-0\ndata: ${JSON.stringify(event)}\n\n`).join('')
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(`: open\n\n${text}`)
      if (service.events.some(isTerminal)) response.end()
      return 'hang'
    }
    if (pathname.endsWith('/input')) return { body: { ...TASK, action: 'answer_questions', at: TASK.opened_at } }
    if (method !== 'GET') return refusal(404, 'NOT_FOUND')
    const { messages = [], tasks = [], openRuns = [] } = service
    return {
      body: {
        trace: { id: TRACE },
        messages: messages.map((message, turn) => ({ ...message, turn })),
        tasks,
        open_runs: openRuns.map(job_id => ({ job_id, status: 'running' })),
        pagination: { total: messages.length, limit: 100, offset: 0 },
      },
    }
  })
  return { ...server, keys, streams }
}

/** Storage of one page, which stays when the page is reloaded. */
function createStorage(): ChatStorage {
  const items = new Map<string, string>()
  return {
    getItem: name => items.get(name) ?? null,
    setItem: (name, value) => void items.set(name, value),
    removeItem: name => void items.delete(name),
  }
}

const sessions: ChatSession[] = []
const servers: { close: () => Promise<unknown> }[] = []
afterEach(async () => {
  sessions.splice(0).forEach(session => session.stop())
  await Promise.all(servers.splice(0).map(server => server.close()))
})

/** Opens a page with a chat. */
async function open(service: Service, storage = createStorage()) {
  const server = await startService(service)
  servers.push(server)
  const load = async () => {
    const session = createChatSession({ baseUrl: server.url, receptor: 'acme/door', shareToken: 'gnt_secret', storage })
    sessions.push(session)
    await session.start()
    return session
  }
  return { ...server, session: await load(), load }
}

const texts = (session: ChatSession) =>
  session.getState().messages.map(({ role, text, status }) => [role, text, status] as const)

const until = (session: ChatSession, isReached: (state: ReturnType<ChatSession['getState']>) => boolean) =>
  waitUntil(() => isReached(session.getState()))

const ANSWERED = [
  { role: 'user' as const, text: 'hello', job_id: 'job-1' },
  { role: 'assistant' as const, text: 'Welcome.', job_id: 'job-1' },
]
const DONE: PublicEvent = { type: 'complete', result: {} }

test('an answer is shown as it is written, and then as it is stored', async () => {
  const service: Service = { events: [{ type: 'token', token: 'Wel', key: 'a' }] }
  const { session, streams } = await open(service)
  void session.send('hello')
  await until(session, ({ messages }) => messages.length === 2)
  expect(texts(session)).toEqual([
    ['user', 'hello', 'done'],
    ['assistant', 'Wel', 'writing'],
  ])
  expect(session.getState().activity).toBe('working')
  expect(streams[0]).toContain(`trace=${TRACE}`)
  session.stop()
  Object.assign(service, { events: [DONE], messages: ANSWERED, openRuns: ['job-1'] })
  await session.start()
  await until(session, ({ activity }) => activity === 'idle')
  expect(texts(session)).toEqual([
    ['user', 'hello', 'done'],
    ['assistant', 'Welcome.', 'done'],
  ])
})

test('a reload in the middle of an answer continues it', async () => {
  const service: Service = { events: [{ type: 'token', token: 'Wel', key: 'a' }] }
  const { session, load } = await open(service)
  await session.send('hello')
  session.stop()
  Object.assign(service, {
    events: [
      { type: 'token', token: 'Wel', key: 'a' },
      { type: 'token', token: 'come', key: 'a' },
    ],
    messages: ANSWERED.slice(0, 1),
    openRuns: ['job-1'],
  })
  const reloaded = await load()
  await until(reloaded, ({ messages }) => messages.at(-1)?.text === 'Welcome')
  expect(texts(reloaded)).toEqual([
    ['user', 'hello', 'done'],
    ['assistant', 'Welcome', 'writing'],
  ])
})

describe('a message', () => {
  test('that failed is sent again with the same key, when the visitor retries', async () => {
    const { session, keys } = await open({
      events: [DONE],
      invoke: count => (count <= 3 ? refusal(503, 'UNAVAILABLE', 0) : undefined),
    })
    await session.send('hello')
    expect(texts(session)).toEqual([['user', 'hello', 'unsent']])
    expect(session.getState()).toMatchObject({ canSend: false, sendProblem: { kind: 'busy' } })
    await session.retry()
    expect(texts(session)[0]).toEqual(['user', 'hello', 'done'])
    expect(keys).toHaveLength(4)
    expect(new Set(keys).size).toBe(1)
  })

  test('without a response is sent again with the same key after a reload', async () => {
    const { session, keys, load } = await open({
      events: [DONE],
      invoke: count => (count === 1 ? 'hang' : undefined),
      messages: ANSWERED,
    })
    void session.send('hello')
    await waitUntil(() => keys.length > 0)
    expect(texts(session)).toEqual([['user', 'hello', 'sending']])
    session.stop()
    const reloaded = await load()
    await until(reloaded, ({ messages }) => messages.length === 2)
    expect(keys).toEqual([keys[0], keys[0]])
    expect(texts(reloaded)).toEqual([
      ['user', 'hello', 'done'],
      ['assistant', 'Welcome.', 'done'],
    ])
  })

  test('that was not sent can be edited, and then has another key', async () => {
    const { session, keys } = await open({
      events: [DONE],
      invoke: count => (count === 1 ? refusal(400, 'VALIDATION_ERROR') : undefined),
    })
    await session.send('hallo')
    expect(session.discard()).toBe('hallo')
    expect(session.getState()).toMatchObject({ messages: [], canSend: true })
    await session.send('hello')
    expect(new Set(keys).size).toBe(2)
  })
})

test.each([
  ['unavailable', refusal(401, 'AUTH_REQUIRED')],
  ['unavailable', refusal(403, 'FORBIDDEN')],
  ['busy', refusal(500, 'INTERNAL')],
  ['unavailable', refusal(409, 'CONFLICT')],
  ['rejected', refusal(400, 'INVALID_REQUEST')],
])('a message gets the problem %s for the response %j', async (kind, reply) => {
  const { session } = await open({ events: [], invoke: () => reply })
  await session.send('hello')
  expect(session.getState().sendProblem?.kind).toBe(kind)
})

describe('a message with a file', () => {
  const file = new File(['a lease'], 'lease.txt', { type: 'text/plain' })

  test('is sent with the id of the file, and shows its name', async () => {
    const { session, seen } = await open({ events: [DONE] })
    const sending = session.send('hello', [file])
    expect(session.getState().canSend).toBe(false)
    await sending
    const invoke = seen.find(({ url }) => url.includes('/invoke'))
    expect(JSON.parse(invoke?.body ?? '{}')).toMatchObject({ message: 'hello', files: [FILE] })
    expect(session.getState().messages[0]).toMatchObject({ text: 'hello', files: ['lease.txt'] })
  })

  test('is not sent if the file is not accepted, and can be sent without it', async () => {
    const { session, keys } = await open({ events: [DONE], upload: refusal(413, 'PAYLOAD_TOO_LARGE') })
    await expect(session.send('hello', [file])).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' })
    expect(session.getState()).toMatchObject({ messages: [], canSend: true })
    await session.send('hello')
    expect(keys).toHaveLength(1)
  })
})

test('a new conversation ends an upload, and the message is rejected', async () => {
  const { session, keys, seen } = await open({ events: [DONE], upload: 'hang' })
  const sending = session.send('hello', [new File(['a lease'], 'lease.txt')])
  await waitUntil(() => seen.some(({ url }) => url.includes('/files')))
  session.reset()
  await expect(sending).rejects.toThrow(AbortedError)
  expect(session.getState()).toMatchObject({ messages: [], canSend: true })
  expect(keys).toEqual([])
})

test('a task opens in the stream, blocks messages, and is answered once', async () => {
  const { job_id: _, status: __, ...task } = TASK
  const service: Service = {
    events: [
      { type: 'status', status: 'waiting' },
      { type: 'task', change: 'opened', interventionId: TASK.interventionId, task, at: TASK.opened_at },
    ],
    tasks: [TASK],
  }
  const { session, seen } = await open(service)
  await session.send('hello')
  await until(session, ({ tasks }) => tasks.length === 1)
  expect(session.getState()).toMatchObject({ canSend: false, activity: 'waiting' })
  const answer = { action: 'answer_questions' as const, answers: { answer: 'North' } }
  await session.answer(TASK, answer)
  await session.answer(TASK, answer)
  expect(session.getState()).toMatchObject({ canSend: true, tasks: [{ status: 'answered', answer }] })
  const sent = seen.filter(({ url }) => url.includes('/input'))
  expect(JSON.parse(sent[0]?.body ?? '{}')).toMatchObject({
    trace: TRACE,
    input: { type: 'intervention_response', interventionId: TASK.interventionId, ...answer },
  })
  expect(new Set(sent.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
})

test('a run that fails is shown as failed, and the next message is accepted', async () => {
  const { session } = await open({
    events: [{ type: 'error', code: 'RUN_FAILED', message: 'Run job-1 failed' }],
    messages: ANSWERED.slice(0, 1),
  })
  await session.send('hello')
  await until(session, ({ activity }) => activity === 'idle')
  expect(texts(session)).toEqual([
    ['user', 'hello', 'done'],
    ['assistant', '', 'failed'],
  ])
  expect(session.getState().canSend).toBe(true)
})

test('a new conversation forgets the thread', async () => {
  const { session, load } = await open({ events: [DONE], messages: ANSWERED })
  await session.send('hello')
  await until(session, ({ activity, messages }) => activity === 'idle' && messages.length === 2)
  expect(texts(await load())).toHaveLength(2)
  session.reset()
  expect(session.getState().messages).toEqual([])
  expect(texts(await load())).toEqual([])
})
