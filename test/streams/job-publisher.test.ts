import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { Unavailable } from '../../domain/shared/errors.ts'
import type { JobEvent } from '../../domain/runs/events.ts'
import { createJobPublisher } from '../../streams/job-publisher.ts'
import { streamKey } from '../../streams/stream-entries.ts'
import { COMPLETE, OPENING, token, until } from './collect.ts'
import { startStreams } from './harness.ts'
import type { Streams } from './harness.ts'

let streams: Streams
afterEach(() => streams.close())

async function stored(jobId: string): Promise<string[]> {
  const entries = await streams.redis.xrange(streamKey(jobId), '-', '+')
  const events = entries.map(([, fields]) => JSON.parse(fields[1] ?? '') as JobEvent)
  return events.map(event => (event.type === 'token' ? event.token : event.type))
}

const numbers = (count: number) => Array.from({ length: count }, (_, n) => String(n))
const ready = () => until(() => streams.redis.status === 'ready')

test('a stream ends once, and no event is stored after its end', async () => {
  streams = await startStreams()
  const { publisher } = streams
  publisher.publish('j', OPENING)
  publisher.publish('j', token('a'))
  const id = await publisher.publishNow('j', COMPLETE)
  expect(await publisher.publishNow('j', { type: 'error', code: 'INTERNAL', message: 'late' })).toBe(id)
  publisher.publish('j', token('late'))
  await publisher.flush()
  expect(await stored('j')).toEqual(['status', 'a', 'complete'])
})

test('the time to live starts with the terminal event', async () => {
  streams = await startStreams()
  await streams.publisher.publishNow('j', COMPLETE)
  expect(await streams.redis.ttl(streamKey('j'))).toBeLessThanOrEqual(60)
})

test('events from an earlier attempt are dropped once a later one has published', async () => {
  streams = await startStreams()
  const { publisher, redis } = streams
  const say = (text: string, attempt: number, key = 'say') => publisher.publish('j', token(text), { key, attempt })
  say('a1', 1)
  publisher.publish('j', { type: 'attempt_reset', node_id: 'say', key: 'say', attempt: 2 }, { key: 'say', attempt: 2 })
  say('late', 1)
  say('a2', 2)
  say('other', 1, 'other')
  say('a3', 3)
  say('late', 2)
  publisher.publish('j', token('of no attempt'))
  await publisher.flush()
  expect(await stored('j')).toEqual(['a1', 'attempt_reset', 'a2', 'other', 'a3', 'of no attempt'])
  await publisher.publishNow('j', COMPLETE)
  expect(await redis.keys('*')).toEqual([streamKey('j')])
})

test('an event with a name is stored once, even if another publisher repeats it', async () => {
  streams = await startStreams()
  const { publisher, redis } = streams
  publisher.publishOnce('j', token('first'), 'move 1')
  publisher.publishOnce('j', token('again'), 'move 1')
  await publisher.flush()
  const other = createJobPublisher(redis, { maxLength: 100, ttlSeconds: 60, log: pino({ level: 'silent' }) })
  other.publishOnce('j', token('again'), 'move 1')
  other.publishOnce('j', token('second'), 'move 2')
  other.publishOnce('k', token('of another job'), 'move 1')
  await other.flush()
  expect(await stored('j')).toEqual(['first', 'second'])
  expect(await stored('k')).toEqual(['of another job'])
  await publisher.publishNow('j', COMPLETE)
  await publisher.publishNow('k', COMPLETE)
  expect((await redis.keys('*')).toSorted()).toEqual([streamKey('j'), streamKey('k')])
})

test('a stream keeps about its maximum length until its time to live expires', async () => {
  streams = await startStreams({ maxLength: 200 })
  const { publisher, redis } = streams
  for (let n = 0; n < 3_000; n++) publisher.publish('j', token(n))
  await publisher.flush()
  expect(await redis.xlen(streamKey('j'))).toBeLessThanOrEqual(300)
  expect(await redis.ttl(streamKey('j'))).toBeGreaterThan(86_400)
  await publisher.publishNow('j', { type: 'complete', result: null })
  expect(await redis.ttl(streamKey('j'))).toBeLessThanOrEqual(60)
})

test('events published while Redis is down arrive once and in order when it is back', async () => {
  streams = await startStreams({ durable: true })
  const { publisher, server } = streams
  for (let n = 0; n < 2_000; n++) {
    publisher.publish('j', token(n))
    if (n % 100 === 0) await sleep(2)
    if (n === 700) await server.kill()
    if (n === 1_500) await server.start()
  }
  await publisher.flush(20_000)
  await ready()
  expect(await stored('j')).toEqual(numbers(2_000))
})

test('events sent while Redis does not reply for seconds are stored once', async () => {
  streams = await startStreams()
  const { publisher, server } = streams
  for (let n = 0; n < 100; n++) publisher.publish('j', token(n))
  server.freeze()
  for (let n = 100; n < 200; n++) publisher.publish('j', token(n))
  await sleep(3_500)
  server.thaw()
  await publisher.flush(20_000)
  await ready()
  expect(await stored('j')).toEqual(numbers(200))
})

test('events beyond the queue limit are replaced by a gap at their position', async () => {
  streams = await startStreams({ bufferLimit: 10 })
  const { publisher, server } = streams
  await server.kill()
  for (let n = 0; n < 30; n++) publisher.publish('long', token(n))
  publisher.publish('other', token('lost'))
  await server.start()
  await publisher.flush(20_000)
  publisher.publish('long', token('after'))
  await publisher.flush()
  await ready()
  expect(await stored('long')).toEqual([...numbers(10), 'gap', 'after'])
  expect(await stored('other')).toEqual(['gap'])
})

test('publishNow throws after its timeout, and the event arrives when Redis is back', async () => {
  streams = await startStreams()
  const { publisher, server } = streams
  await server.kill()
  await expect(publisher.publishNow('j', COMPLETE, 500)).rejects.toThrow(Unavailable)
  await server.start()
  const id = await publisher.publishNow('j', COMPLETE)
  await ready()
  expect(await stored('j')).toEqual(['complete'])
  expect(id).toMatch(/^\d+-\d+$/)
})

test('an event that Redis rejects is dropped, and a gap is published later', async () => {
  streams = await startStreams()
  const { publisher, redis } = streams
  await redis.set(streamKey('j'), 'not a stream')
  publisher.publish('j', token('lost'))
  publisher.publish('fine', token('a'))
  await publisher.flush()
  expect(await stored('fine')).toEqual(['a'])
  await redis.del(streamKey('j'))
  publisher.publish('j', token('b'))
  await publisher.flush()
  expect(await stored('j')).toEqual(['gap', 'b'])
})
