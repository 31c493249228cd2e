import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { JobEvent } from '../../domain/runs/events.ts'
import { streamKey } from '../../streams/stream-entries.ts'
import { COMPLETE, OPENING, token, until } from '../streams/collect.ts'
import { startStreams } from '../streams/harness.ts'
import type { Streams } from '../streams/harness.ts'
import { createClient, Refusal } from '../support/clients/client.ts'
import { waitUntil } from '../support/stack/process.ts'
import { collect } from '../support/clients/sse.ts'
import type { SseMessage } from '../support/clients/sse.ts'
import { startApp } from './app-under-test.ts'
import type { AppUnderTest } from './app-under-test.ts'
import { KEY, OTHER_KEY } from './services.ts'

let streams: Streams
let app: AppUnderTest
let count = 0

beforeAll(async () => {
  streams = await startStreams()
  app = await startApp({ events: streams.events })
})
afterAll(async () => {
  await app.drain(0)
  await streams.close()
})

const FINISHED = '2026-01-02T03:04:05.678Z'
const FINISHED_ID = `${Date.parse(FINISHED)}-0`
const NODE: JobEvent = { type: 'node', node_id: 'a', key: 'a', node_type: 'neuron', status: 'completed', at: FINISHED }
const SNAPSHOT = {
  terminal: COMPLETE,
  finished_at: FINISHED,
  events: [{ type: 'token', token: 'all', key: 'a' }, NODE] as JobEvent[],
}

function newJob(status: 'running' | 'completed' = 'running', snapshot?: typeof SNAPSHOT) {
  const id = `sse-${++count}`
  app.jobs.put(id, status, snapshot)
  return id
}

const pathOf = (jobId: string, query = '') => `/v1/jobs/${jobId}/stream${query}`
const saying = ({ data, comment }: SseMessage<JobEvent>) =>
  data ? (data.type === 'token' ? data.token : data.type) : `: ${comment}`

/** Reads the stream to its end, omitting keep-alives. */
async function all(path: string, headers: Record<string, string> = {}) {
  const messages = await collect(await app.client.sse(path, { headers }))
  const events = messages.filter(({ comment }) => comment !== 'ping')
  return { said: events.map(saying), ids: events.map(({ id }) => id) }
}

const refused = async (path: string, headers: Record<string, string> = {}) => {
  const refusal = await app.client.sse(path, { headers }).catch((error: unknown) => error)
  if (!(refusal instanceof Refusal)) throw new Error('the stream was opened')
  return refusal.answer
}

/** Opens a client that reads raw bytes. */
async function rawClient(jobId: string): Promise<{ socket: Socket; text(): string }> {
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1')
  let text = ''
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
  socket.on('error', () => undefined)
  socket.write(`GET ${pathOf(jobId)} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEY}\r\n\r\n`)
  await until(() => text.includes(': open'))
  return { socket, text: () => text }
}

test('the bytes on the wire match the specification', async () => {
  const job = newJob()
  const first = await streams.publisher.publishNow(job, OPENING)
  const { socket, text } = await rawClient(job)
  const id = await streams.publisher.publishNow(job, token('hé\nllo'))
  await until(() => text().includes(id))
  const [head = '', body = ''] = text().split('\r\n\r\n')
  expect(head).toMatch(/^HTTP\/1.1 200 OK\r\n/)
  expect(head.toLowerCase()).toContain('\r\ncontent-type: text/event-stream')
  expect(head.toLowerCase()).toContain('\r\ncache-control: no-cache, no-transform')
  expect(head.toLowerCase()).toContain('\r\nx-accel-buffering: no')
  const unchunked = body.replaceAll(/(^|\r\n)[\da-f]+\r\n/g, '').trimEnd()
  expect(unchunked).toBe(
    `: open\n\nid: ${first}\ndata: {"type":"status","status":"pending"}\n\nid: ${id}\ndata: {"type":"token","token":"hé\\nllo"}`,
  )
  socket.destroy()
})

test('one workspace leaves connections to others, and can open new streams when its earlier streams end', async () => {
  const small = await startApp({ events: streams.events, config: { ...app.config, MAX_CONNECTIONS: 8 } })
  const other = createClient(small.url, OTHER_KEY)
  const job = newJob()
  small.jobs.put(job, 'running')
  const open = await Promise.all(Array.from({ length: 4 }, () => small.client.sse(pathOf(job))))
  expect(await small.client.get('/v1/config')).toMatchObject({
    status: 429,
    body: { code: 'RATE_LIMIT', retryAfter: 1 },
  })
  expect((await other.get('/v1/config')).status).toBe(200)
  await streams.publisher.publishNow(job, COMPLETE)
  for (const stream of open) await collect(stream)
  await waitUntil(async () => (await small.client.get('/v1/config')).status === 200)
  await small.drain(0)
})

test('a stream is replayed, switches to live events, and ends after its terminal event', async () => {
  const job = newJob()
  streams.publisher.publish(job, OPENING)
  streams.publisher.publish(job, token('a'))
  await streams.publisher.flush()
  const following = all(pathOf(job))
  await sleep(50)
  streams.publisher.publish(job, token('b'))
  await streams.publisher.publishNow(job, COMPLETE)
  const { said, ids } = await following
  expect(said).toEqual([': open', 'status', 'a', 'b', 'complete'])

  expect((await all(pathOf(job, `?after=${ids[2]}`))).said).toEqual([': open', 'b', 'complete'])
  expect((await all(pathOf(job), { 'Last-Event-ID': ids[3] ?? '' })).said).toEqual([': open', 'complete'])
  expect((await all(pathOf(job, `?after=${ids[1]}`), { 'Last-Event-ID': ids[3] ?? '' })).said).toEqual([
    ': open',
    'a',
    'b',
    'complete',
  ])
  expect((await all(pathOf(job, `?after=${ids[4]}`))).said).toEqual([': open'])
  expect((await all(pathOf(job, '?after=0-0'))).said).toEqual([': open', 'status', 'a', 'b', 'complete'])
})

test('an invalid position returns 400 and an unknown job returns 404, before the stream opens', async () => {
  const job = newJob()
  for (const query of ['?after=garbage', '?after=', '?after=1', '?after=1-2&after=3-4']) {
    expect(await refused(pathOf(job, query))).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
  }
  expect((await refused(pathOf(job), { 'Last-Event-ID': 'x' })).status).toBe(400)
  expect((await refused(pathOf('not-mine'))).status).toBe(404)
})

test('for an ended run without a stored stream, the snapshot is sent', async () => {
  const job = newJob('completed', SNAPSHOT)
  const { said, ids } = await all(pathOf(job))
  expect(said).toEqual([': open', 'gap', 'all', 'node', 'complete'])
  expect(ids.slice(1)).toEqual(['0-0', '0-0', '0-0', FINISHED_ID])
  expect((await all(pathOf(job, `?after=${FINISHED_ID}`))).said).toEqual([': open'])
  expect((await all(pathOf(job, '?after=9999999999999-0'))).said).toEqual([': open'])
})

test('a browser that reconnects after the end of the stream gets 204', async () => {
  const job = newJob()
  for (const event of [OPENING, token('a'), COMPLETE]) await streams.publisher.publishNow(job, event)
  const { ids } = await all(pathOf(job))
  app.jobs.put(job, 'completed')
  const reconnect = async (path: string, id = '') =>
    (await fetch(`${app.url}${path}`, { headers: { Authorization: `Bearer ${KEY}`, 'Last-Event-ID': id } })).status
  expect(await reconnect(pathOf(job), ids.at(-1))).toBe(204)
  expect(await reconnect(pathOf(job), ids.at(-2))).toBe(200)
  expect(await reconnect(pathOf(job))).toBe(200)
  expect((await all(pathOf(job, `?after=${ids.at(-1)}`))).said).toEqual([': open'])
  const expired = newJob('completed', SNAPSHOT)
  expect(await reconnect(pathOf(expired), FINISHED_ID)).toBe(204)
  expect(await reconnect(pathOf(expired), '1-0')).toBe(200)
})

test('after a position beyond the end, no event with an older id is sent', async () => {
  const job = newJob()
  const beyond = pathOf(job, '?after=9999999999999-0')
  await streams.publisher.publishNow(job, OPENING)
  const waiting = all(beyond)
  await sleep(100)
  await streams.publisher.publishNow(job, token('a'))
  await streams.publisher.publishNow(job, COMPLETE)
  expect((await waiting).said).toEqual([': open'])
  expect((await all(beyond)).said).toEqual([': open'])
})

test('a client that waits beyond the end is released even if Redis has lost the terminal event', async () => {
  const job = newJob()
  await streams.publisher.publishNow(job, OPENING)
  const waiting = all(pathOf(job, '?after=9999999999999-0'))
  await sleep(100)
  app.jobs.put(job, 'completed', SNAPSHOT)
  expect((await waiting).said).toEqual([': open'])
})

test('a stream that lost its beginning sends a gap event, the snapshot, then the stored events', async () => {
  const job = newJob('running', { ...SNAPSHOT, terminal: undefined as never })
  for (const text of ['x', 'y']) streams.publisher.publish(job, { type: 'token', token: text, key: 'a', node_id: 'a' })
  streams.publisher.publish(job, { type: 'token', token: 'z', key: 'b', node_id: 'b' })
  await streams.publisher.publishNow(job, COMPLETE)
  const { said, ids } = await all(pathOf(job))
  expect(said).toEqual([': open', 'gap', 'all', 'node', 'z', 'complete'])
  expect((await all(pathOf(job, `?after=${ids[4]}`))).said).toEqual([': open', 'complete'])
})

test('a stream that lost its terminal event gets it from the snapshot', async () => {
  const job = newJob('completed', SNAPSHOT)
  streams.publisher.publish(job, OPENING)
  streams.publisher.publish(job, token('a'))
  await streams.publisher.flush()
  const { said, ids } = await all(pathOf(job))
  expect(said).toEqual([': open', 'status', 'a', 'complete'])
  expect(ids.at(-1)).toBe(FINISHED_ID)
})

test('a waiting client gets the terminal event even if Redis has lost it', async () => {
  const job = newJob()
  streams.publisher.publish(job, OPENING)
  await streams.publisher.flush()
  const following = [all(pathOf(job)), all(pathOf(job))]
  await sleep(100)
  const before = app.jobs.asked
  app.jobs.put(job, 'completed', SNAPSHOT)
  for (const { said } of await Promise.all(following))
    expect(said).toEqual([': open', 'status', 'gap', 'all', 'node', 'complete'])
  expect(app.jobs.asked - before).toBeLessThanOrEqual(4)
})

test('keep-alives are sent while the stream is idle', async () => {
  const job = newJob()
  await streams.publisher.publishNow(job, OPENING)
  const { socket, text } = await rawClient(job)
  await until(() => text().split(': ping\n\n').length > 2)
  socket.destroy()
})

test('a client that does not read is disconnected, and other clients continue', async () => {
  const job = newJob()
  await streams.publisher.publishNow(job, OPENING)
  const stuck = await rawClient(job)
  stuck.socket.pause()
  let dropped = false
  stuck.socket.on('close', () => (dropped = true))
  let heard = 0
  const following = (async () => {
    for await (const { data } of await app.client.sse(pathOf(job))) if (data) heard++
  })()
  const big = 'x'.repeat(50_000)
  for (let n = 0; n < 200; n++) {
    streams.publisher.publish(job, token(big))
    // The active reader never lags far behind, however busy the machine is.
    if (n % 10 === 9) await until(() => heard >= n)
  }
  await streams.publisher.publishNow(job, COMPLETE)
  await following
  expect(heard).toBe(202)
  stuck.socket.resume()
  await until(() => dropped)
  expect(stuck.text().length).toBeLessThan(9_000_000)
})

test('a slow client gets all events of a long replay', async () => {
  const job = newJob()
  await streams.publisher.publishNow(job, OPENING)
  for (let n = 0; n < 100; n++) streams.publisher.publish(job, token(String(n).padEnd(100_000, '.')))
  await streams.publisher.publishNow(job, COMPLETE)
  const { socket, text } = await rawClient(job)
  socket.pause()
  await sleep(500)
  socket.resume()
  await until(() => text().includes('"complete"'))
  expect(text().length).toBeGreaterThan(10_000_000)
})

test('a client that disconnects leaves no subscription behind', async () => {
  const job = newJob()
  await streams.publisher.publishNow(job, OPENING)
  const { socket } = await rawClient(job)
  const listeners = async () => (await streams.redis.pubsub('NUMSUB', `ganglion:job:${job}:live`))[1]
  expect(await listeners()).toBe(1)
  socket.destroy()
  while ((await listeners()) !== 0) await sleep(5)
  expect(app.jobs.calls).toEqual([])
})

test('a HEAD request does not hang', async () => {
  const job = newJob()
  const response = await fetch(app.url + pathOf(job), { method: 'HEAD', headers: { Authorization: `Bearer ${KEY}` } })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
})

describe('without Redis', () => {
  test('the stream of a running job returns 503 immediately, and an ended job is sent from its snapshot', async () => {
    const own = await startStreams()
    const { client, jobs, drain } = await startApp({ events: own.events })
    jobs.put('running', 'running')
    jobs.put('done', 'completed', SNAPSHOT)
    await own.server.kill()
    await sleep(100)
    const refusal = await client.sse(pathOf('running')).catch((error: unknown) => error)
    expect(refusal).toMatchObject({ answer: { status: 503, body: { code: 'UNAVAILABLE', retryAfter: 2 } } })
    const streamed = await collect(await client.sse(pathOf('done')))
    expect(streamed.map(saying)).toEqual([': open', 'gap', 'all', 'node', 'complete'])
    await drain(0)
    await own.close()
  })

  test('an open stream continues once Redis is back', async () => {
    const own = await startStreams({ durable: true })
    const { client, jobs, drain } = await startApp({ events: own.events })
    jobs.put('j', 'running')
    own.publisher.publish('j', OPENING)
    await own.publisher.flush()
    const following = collect(await client.sse(pathOf('j')))
    await own.server.kill()
    own.publisher.publish('j', token('while away'))
    await sleep(1_500)
    await own.server.start()
    await own.publisher.publishNow('j', COMPLETE, 10_000)
    const said = (await following).map(saying).filter(text => text !== ': ping')
    expect(said).toEqual([': open', 'status', 'while away', 'complete'])
    await drain(0)
    await own.close()
  })
})

test('streams end at shutdown, and a client resumes with another process', async () => {
  const first = await startApp({ events: streams.events })
  const job = newJob()
  first.jobs.put(job, 'running')
  await streams.publisher.publishNow(job, OPENING)
  const messages: SseMessage<JobEvent>[] = []
  const following = (async () => {
    for await (const message of await first.client.sse(pathOf(job))) messages.push(message)
  })()
  await until(() => messages.some(message => saying(message) === 'status'))
  first.closeStreams()
  // An open stream would block the server until after the time limit of the test.
  await first.drain(600_000)
  await following
  expect(messages.map(saying).filter(text => text !== ': ping')).toEqual([': open', 'status', ': closing'])
  await streams.publisher.publishNow(job, COMPLETE)
  expect((await all(pathOf(job, `?after=${messages.find(message => saying(message) === 'status')?.id}`))).said).toEqual(
    [': open', 'complete'],
  )
})

test('a client that connects during shutdown is asked to reconnect', async () => {
  const events: typeof streams.events = {
    ...streams.events,
    async subscribe(...request) {
      const subscription = await streams.events.subscribe(...request)
      closing.closeStreams()
      return subscription
    },
  }
  const closing = await startApp({ events })
  const job = newJob()
  closing.jobs.put(job, 'running')
  const refusal = await closing.client.sse(pathOf(job)).catch((error: unknown) => error)
  await closing.drain(0)
  expect(refusal instanceof Refusal && refusal.answer).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } })
})

test('a stream trimmed while nobody reads it sends a gap event only to readers that missed events', async () => {
  const job = newJob()
  streams.publisher.publish(job, OPENING)
  for (let n = 0; n < 300; n++) streams.publisher.publish(job, token(n))
  const id = await streams.publisher.publishNow(job, COMPLETE)
  const { ids } = await all(pathOf(job))
  await streams.redis.xtrim(streamKey(job), 'MAXLEN', 50)
  expect((await all(pathOf(job))).said.slice(0, 2)).toEqual([': open', 'gap'])
  expect((await all(pathOf(job, `?after=${ids.at(-3)}`))).said).toEqual([': open', '299', 'complete'])
  expect(id).toBe(ids.at(-1))
})

test('a stream whose key is revoked ends, without an end event for the run', async () => {
  const stream = all(pathOf(newJob()))
  app.access.ended.add('k')
  try {
    expect((await stream).said).toEqual([': open', 'gap'])
  } finally {
    app.access.ended.clear()
  }
})
