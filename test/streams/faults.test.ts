import { setTimeout as sleep } from 'node:timers/promises'
import { createCollector, COMPLETE, OPENING, token, until } from './collect.ts'
import { startStreams } from './harness.ts'
import type { Streams } from './harness.ts'

let streams: Streams
afterEach(() => streams.close())

async function subscribe(jobId: string) {
  const sink = createCollector()
  const subscription = await streams.events.subscribe(jobId)
  subscription.start(sink)
  return sink
}

const numbers = (count: number, from = 0) => Array.from({ length: count }, (_, n) => String(n + from))

test('a subscriber that is disconnected repeatedly misses no event and gets none twice', async () => {
  streams = await startStreams()
  const { publisher, redis } = streams
  publisher.publish('j', OPENING)
  const sinks = [await subscribe('j'), await subscribe('j')]
  for (let n = 0; n < 2_000; n++) {
    publisher.publish('j', token(n))
    if (n % 20 === 0) await sleep(2)
    if (n % 500 === 250) await redis.client('KILL', 'TYPE', 'PUBSUB')
  }
  await publisher.publishNow('j', COMPLETE)
  for (const sink of sinks) {
    await until(() => sink.received.includes('complete'))
    expect(sink.received).toEqual(['status', ...numbers(2_000), 'complete'])
  }
})

test('when a durable Redis crashes and restarts, no gap is left', async () => {
  streams = await startStreams({ durable: true })
  const { publisher, server } = streams
  publisher.publish('j', OPENING)
  const sink = await subscribe('j')
  for (let n = 0; n < 300; n++) publisher.publish('j', token(n))
  await until(() => sink.received.length > 100)
  await server.kill()
  for (let n = 300; n < 600; n++) publisher.publish('j', token(n))
  await sleep(500)
  await server.start()
  await publisher.publishNow('j', COMPLETE, 20_000)
  await until(() => sink.received.includes('complete'))
  expect(sink.received).toEqual(['status', ...numbers(600), 'complete'])
})

test('when a Redis restarts empty, readers get a gap, then live events', async () => {
  streams = await startStreams()
  const { publisher, server } = streams
  publisher.publish('j', OPENING)
  publisher.publish('j', token(0))
  const sink = await subscribe('j')
  await until(() => sink.received.length === 2)
  await server.kill()
  await server.start()
  publisher.publish('j', token(1))
  await until(() => sink.received.includes('1'))
  await publisher.publishNow('j', COMPLETE)
  await until(() => sink.received.includes('complete'))
  expect(sink.received).toEqual(['status', '0', 'gap', '1', 'complete'])
})

test('after FLUSHALL, a live reader misses no event, and a late reader gets a gap', async () => {
  streams = await startStreams()
  const { publisher, redis } = streams
  publisher.publish('j', OPENING)
  publisher.publish('j', token(0))
  const sink = await subscribe('j')
  await until(() => sink.received.length === 2)
  await redis.flushall()
  publisher.publish('j', token(1))
  await publisher.publishNow('j', COMPLETE)
  await until(() => sink.received.includes('complete'))
  expect(sink.received).toEqual(['status', '0', '1', 'complete'])
  const late = await subscribe('j')
  await until(() => late.received.includes('complete'))
  expect(late.received).toEqual(['gap', '1', 'complete'])
  expect(late.gaps[0]?.ends).toBe(true)
})

test('a subscription survives a Redis that does not reply for seconds', async () => {
  streams = await startStreams()
  const { publisher, server } = streams
  publisher.publish('j', OPENING)
  const sink = await subscribe('j')
  await until(() => sink.received.length === 1)
  server.freeze()
  for (let n = 0; n < 50; n++) publisher.publish('j', token(n))
  await sleep(6_500)
  server.thaw()
  await publisher.publishNow('j', COMPLETE, 20_000)
  await until(() => sink.received.includes('complete'))
  expect(sink.received).toEqual(['status', ...numbers(50), 'complete'])
})
