import { setTimeout as sleep } from 'node:timers/promises'
import { Unavailable } from '../../domain/shared/errors.ts'
import type { JobEventSink } from '../../domain/runs/job-event-source.ts'
import { MAX_STREAM_ID, parseAfter, parseStreamId } from '../../domain/shared/stream-id.ts'
import { streamKey } from '../../streams/stream-entries.ts'
import { createCollector, COMPLETE, OPENING, token, until } from './collect.ts'
import { startStreams } from './harness.ts'
import type { Streams } from './harness.ts'

let streams: Streams
let jobs = 0
const newJob = () => `reader-${++jobs}`

beforeAll(async () => {
  streams = await startStreams()
})
afterAll(() => streams.close())

async function subscribe(jobId: string, after?: string) {
  const sink = createCollector()
  const subscription = await streams.events.subscribe(jobId, after)
  subscription.start(sink)
  return { sink, subscription }
}

async function publishTokens(jobId: string, count: number, from = 0) {
  for (let n = from; n < from + count; n++) streams.publisher.publish(jobId, token(n))
  await streams.publisher.flush()
}

const numbers = (count: number, from = 0) => Array.from({ length: count }, (_, n) => String(n + from))

test('events published before and after the subscription arrive once and in order', async () => {
  const job = newJob()
  streams.publisher.publish(job, OPENING)
  await publishTokens(job, 500)
  const { sink } = await subscribe(job)
  await publishTokens(job, 500, 500)
  await streams.publisher.publishNow(job, COMPLETE)
  await until(() => sink.received.includes('complete'))
  expect(sink.received).toEqual(['status', ...numbers(1000), 'complete'])
  expect(sink.gaps).toEqual([])
})

test('readers that subscribe while many events are published get every event once', async () => {
  const job = newJob()
  streams.publisher.publish(job, OPENING)
  const sinks = []
  for (let n = 0; n < 5_000; n++) {
    streams.publisher.publish(job, token(n))
    if (n % 250 === 0) sinks.push((await subscribe(job)).sink)
  }
  await streams.publisher.publishNow(job, COMPLETE)
  for (const sink of sinks) {
    await until(() => sink.received.includes('complete'))
    expect(sink.received).toEqual(['status', ...numbers(5_000), 'complete'])
  }
})

test('a subscription with a position receives only later events', async () => {
  const job = newJob()
  streams.publisher.publish(job, OPENING)
  await publishTokens(job, 10)
  const first = await subscribe(job)
  await until(() => first.sink.ids.length === 11)
  const { sink } = await subscribe(job, first.sink.ids[4])
  await publishTokens(job, 2, 10)
  await until(() => sink.received.length === 8)
  expect(sink.received).toEqual(numbers(8, 4))
  expect(sink.gaps).toEqual([])
})

test('a slow sink delays only its own replay and misses no event', async () => {
  const job = newJob()
  streams.publisher.publish(job, OPENING)
  await publishTokens(job, 450)
  const sink = createCollector()
  let open: () => void = () => undefined
  const gate = new Promise<void>(resolve => (open = resolve))
  const slow: JobEventSink = { ...sink, onEvent: entry => sink.onEvent(entry) && false, whenDrained: () => gate }
  const subscription = await streams.events.subscribe(job)
  subscription.start(slow)
  await until(() => sink.received.length > 0)
  await publishTokens(job, 300, 450)
  expect(sink.received).toEqual(['status'])
  open()
  await until(() => sink.received.length === 751)
  expect(sink.received).toEqual(['status', ...numbers(750)])
})

test('a stream trimmed at its start reports a gap to readers that need the missing events', async () => {
  const job = newJob()
  streams.publisher.publish(job, OPENING)
  await publishTokens(job, 300)
  const before = await subscribe(job)
  await until(() => before.sink.ids.length === 301)
  await streams.redis.xtrim(streamKey(job), 'MAXLEN', 100)

  const late = await subscribe(job)
  await until(() => late.sink.isCaughtUp)
  expect(late.sink.received).toEqual(['gap', ...numbers(100, 200)])
  const missed = await subscribe(job, before.sink.ids[10])
  await until(() => missed.sink.isCaughtUp)
  expect(missed.sink.received[0]).toBe('gap')
  const resumedAtGap = await subscribe(job, late.sink.ids[0])
  await until(() => resumedAtGap.sink.isCaughtUp)
  expect(resumedAtGap.sink.received).toEqual(numbers(99, 201))
})

test('a missing stream reports a gap and continues live', async () => {
  const job = newJob()
  const { sink } = await subscribe(job)
  await until(() => sink.isCaughtUp)
  expect(sink.gaps).toEqual([{ at: '0-0', ends: false }])
  await publishTokens(job, 2)
  await until(() => sink.received.length === 3)
  expect(sink.received).toEqual(['gap', '0', '1'])
})

test('a position beyond the newest event waits for later events', async () => {
  const job = newJob()
  const opened = await streams.publisher.publishNow(job, OPENING)
  const soon = `${parseStreamId(opened ?? '').ms + 200}-0`
  const { sink } = await subscribe(job, soon)
  await until(() => sink.isCaughtUp)
  await publishTokens(job, 1)
  await sleep(300)
  await publishTokens(job, 1, 1)
  await until(() => sink.received.length > 0)
  expect(sink.received).toEqual(['1'])
})

test('a position beyond the end of the stream gets no older event, and is told that the stream has ended', async () => {
  const job = newJob()
  await streams.publisher.publishNow(job, OPENING)
  const { sink } = await subscribe(job, MAX_STREAM_ID)
  await until(() => sink.isCaughtUp)
  await publishTokens(job, 1)
  await streams.publisher.publishNow(job, COMPLETE)
  await until(() => sink.isFinished)
  const late = await subscribe(job, '99999999999999-0')
  await until(() => late.sink.isFinished)
  expect([sink.received, late.sink.received]).toEqual([[], []])
})

test('a reader at the terminal event is told that the stream has ended', async () => {
  const job = newJob()
  streams.publisher.publish(job, OPENING)
  const id = await streams.publisher.publishNow(job, COMPLETE)
  const { sink } = await subscribe(job, id)
  await until(() => sink.isFinished)
  expect(sink.received).toEqual([])
})

test('a channel is subscribed to once, and only while it has subscribers', async () => {
  const job = newJob()
  const channels = async () => (await streams.redis.pubsub('CHANNELS', `*${job}:*`)) as string[]
  const one = await subscribe(job)
  const two = await subscribe(job)
  expect(await streams.redis.pubsub('NUMSUB', `ganglion:job:${job}:live`)).toEqual([`ganglion:job:${job}:live`, 1])
  one.subscription.close()
  await publishTokens(job, 1)
  await until(() => two.sink.received.includes('0'))
  expect(one.sink.received).not.toContain('0')
  two.subscription.close()
  await until(() => streams.subscriber.status === 'ready')
  while ((await channels()).length > 0) await streams.redis.ping()
})

test('a thousand subscriptions share one connection', async () => {
  const job = newJob()
  streams.publisher.publish(job, OPENING)
  await streams.publisher.flush()
  const readers = await Promise.all(Array.from({ length: 1_000 }, () => subscribe(job)))
  await publishTokens(job, 20)
  await until(() => readers.every(({ sink }) => sink.received.length === 21))
  const clients = String(await streams.redis.client('LIST'))
  expect(clients.split('\n').filter(line => / sub=[1-9]/.test(line))).toHaveLength(1)
})

test('subscribe throws immediately while Redis is unavailable', async () => {
  const own = await startStreams()
  await own.server.kill()
  const began = Date.now()
  await expect(own.events.subscribe('any')).rejects.toThrow(Unavailable)
  expect(Date.now() - began).toBeLessThan(2_500)
  await own.close()
})

test.each(['', 'garbage', '1-', '-1', '1-2-3', '1.5-0', '1-x', '123456789012345678901-0', ' 1-0'])(
  'after %j is rejected',
  text => {
    expect(() => parseAfter(text)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR', status: 400 }))
  },
)

test('a position is parsed without leading zeros', () => {
  expect(parseAfter('0001700000000000-00')).toBe('1700000000000-0')
})
