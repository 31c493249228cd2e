import { Unavailable } from '../../domain/errors.ts'
import { parseAfter } from '../../domain/stream-id.ts'
import { streamKey } from '../../streams/job-stream.ts'
import { collector, COMPLETE, OPENING, token, until } from './collect.ts'
import { startStreams } from './harness.ts'
import type { Streams } from './harness.ts'

let streams: Streams
let jobs = 0
const newJob = () => `reader-${++jobs}`

beforeAll(async () => {
  streams = await startStreams()
})
afterAll(() => streams.close())

async function follow(jobId: string, after?: string) {
  const sink = collector()
  const following = await streams.reader.follow(jobId, after)
  following.begin(sink)
  return { sink, following }
}

async function tell(jobId: string, count: number, from = 0) {
  for (let n = from; n < from + count; n++) streams.publisher.publish(jobId, token(n))
  await streams.publisher.flush()
}

const numbers = (count: number, from = 0) => Array.from({ length: count }, (_, n) => String(n + from))

test('what was said before and after the reader came arrives once and in order', async () => {
  const job = newJob()
  streams.publisher.publish(job, OPENING)
  await tell(job, 500)
  const { sink } = await follow(job)
  await tell(job, 500, 500)
  await streams.publisher.publishNow(job, COMPLETE)
  await until(() => sink.said.includes('complete'))
  expect(sink.said).toEqual(['status', ...numbers(1000), 'complete'])
  expect(sink.gaps).toEqual([])
})

test('readers who come in the middle of a storm get every event once', async () => {
  const job = newJob()
  streams.publisher.publish(job, OPENING)
  const sinks = []
  for (let n = 0; n < 5_000; n++) {
    streams.publisher.publish(job, token(n))
    if (n % 250 === 0) sinks.push((await follow(job)).sink)
  }
  await streams.publisher.publishNow(job, COMPLETE)
  for (const sink of sinks) {
    await until(() => sink.said.includes('complete'))
    expect(sink.said).toEqual(['status', ...numbers(5_000), 'complete'])
  }
})

test('after gives only later events', async () => {
  const job = newJob()
  streams.publisher.publish(job, OPENING)
  await tell(job, 10)
  const first = await follow(job)
  await until(() => first.sink.ids.length === 11)
  const { sink } = await follow(job, first.sink.ids[4])
  await tell(job, 2, 10)
  await until(() => sink.said.length === 8)
  expect(sink.said).toEqual(numbers(8, 4))
  expect(sink.gaps).toEqual([])
})

test('a slow sink holds up its own replay and misses nothing', async () => {
  const job = newJob()
  streams.publisher.publish(job, OPENING)
  await tell(job, 450)
  const sink = collector()
  let open: () => void = () => undefined
  const gate = new Promise<void>(resolve => (open = resolve))
  const taken = sink.entry
  const slow = { ...sink, entry: (entry: Parameters<typeof taken>[0]) => taken(entry) && false, drained: () => gate }
  const following = await streams.reader.follow(job)
  following.begin(slow)
  await until(() => sink.said.length > 0)
  await tell(job, 300, 450)
  expect(sink.said).toEqual(['status'])
  open()
  await until(() => sink.said.length === 751)
  expect(sink.said).toEqual(['status', ...numbers(750)])
})

test('a stream cut at its beginning says gap to whoever needs the missing part', async () => {
  const job = newJob()
  streams.publisher.publish(job, OPENING)
  await tell(job, 300)
  const before = await follow(job)
  await until(() => before.sink.ids.length === 301)
  await streams.redis.xtrim(streamKey(job), 'MAXLEN', 100)

  const late = await follow(job)
  await until(() => late.sink.isCaughtUp)
  expect(late.sink.said).toEqual(['gap', ...numbers(100, 200)])
  const missed = await follow(job, before.sink.ids[10])
  await until(() => missed.sink.isCaughtUp)
  expect(missed.sink.said[0]).toBe('gap')
  const resumedAtGap = await follow(job, late.sink.ids[0])
  await until(() => resumedAtGap.sink.isCaughtUp)
  expect(resumedAtGap.sink.said).toEqual(numbers(99, 201))
})

test('a missing stream says gap and goes on live', async () => {
  const job = newJob()
  const { sink } = await follow(job)
  await until(() => sink.isCaughtUp)
  expect(sink.gaps).toEqual([{ at: '0-0', ends: false }])
  await tell(job, 2)
  await until(() => sink.said.length === 3)
  expect(sink.said).toEqual(['gap', '0', '1'])
})

test('a position beyond the end is no dead cursor', async () => {
  const job = newJob()
  streams.publisher.publish(job, OPENING)
  await streams.publisher.flush()
  const { sink } = await follow(job, '99999999999999999999-0')
  await until(() => sink.isCaughtUp)
  await tell(job, 1)
  await until(() => sink.said.length === 2)
  expect(sink.said).toEqual(['gap', '0'])

  await streams.publisher.publishNow(job, COMPLETE)
  const late = await follow(job, '99999999999999-0')
  await until(() => late.sink.said.length === 1)
  expect(late.sink.said).toEqual(['complete'])
})

test('whoever has the terminal event is told that there is no more', async () => {
  const job = newJob()
  streams.publisher.publish(job, OPENING)
  const id = await streams.publisher.publishNow(job, COMPLETE)
  const { sink } = await follow(job, id)
  await until(() => sink.isFinished)
  expect(sink.said).toEqual([])
})

test('a job is subscribed to once, and no longer than someone follows it', async () => {
  const job = newJob()
  const channels = async () => (await streams.redis.pubsub('CHANNELS', `*${job}:*`)) as string[]
  const one = await follow(job)
  const two = await follow(job)
  expect(await streams.redis.pubsub('NUMSUB', `ganglion:job:${job}:live`)).toEqual([`ganglion:job:${job}:live`, 1])
  one.following.stop()
  await tell(job, 1)
  await until(() => two.sink.said.includes('0'))
  expect(one.sink.said).not.toContain('0')
  two.following.stop()
  await until(() => streams.subscriber.status === 'ready')
  while ((await channels()).length > 0) await streams.redis.ping()
})

test('a thousand readers share one connection', async () => {
  const job = newJob()
  streams.publisher.publish(job, OPENING)
  await streams.publisher.flush()
  const readers = await Promise.all(Array.from({ length: 1_000 }, () => follow(job)))
  await tell(job, 20)
  await until(() => readers.every(({ sink }) => sink.said.length === 21))
  const clients = String(await streams.redis.client('LIST'))
  expect(clients.split('\n').filter(line => / sub=[1-9]/.test(line))).toHaveLength(1)
})

test('following while Redis is away is refused at once', async () => {
  const own = await startStreams()
  await own.server.kill()
  const began = Date.now()
  await expect(own.reader.follow('any')).rejects.toThrow(Unavailable)
  expect(Date.now() - began).toBeLessThan(2_500)
  await own.close()
})

test.each(['', 'garbage', '1-', '-1', '1-2-3', '1.5-0', '1-x', '123456789012345678901-0', ' 1-0'])(
  'after %j is refused',
  text => {
    expect(() => parseAfter(text)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR', status: 400 }))
  },
)

test('after is read without leading zeros', () => {
  expect(parseAfter('0001700000000000-00')).toBe('1700000000000-0')
})
