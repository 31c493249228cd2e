import { setTimeout as sleep } from 'node:timers/promises'
import { collector, COMPLETE, OPENING, token, until } from './collect.ts'
import { startStreams } from './harness.ts'
import type { Streams } from './harness.ts'

let streams: Streams
afterEach(() => streams.close())

async function follow(jobId: string) {
  const sink = collector()
  const following = await streams.reader.follow(jobId)
  following.begin(sink)
  return sink
}

const numbers = (count: number, from = 0) => Array.from({ length: count }, (_, n) => String(n + from))

test('a subscriber cut off again and again loses nothing and doubles nothing', async () => {
  streams = await startStreams()
  const { publisher, redis } = streams
  publisher.publish('j', OPENING)
  const sinks = [await follow('j'), await follow('j')]
  for (let n = 0; n < 2_000; n++) {
    publisher.publish('j', token(n))
    if (n % 20 === 0) await sleep(2)
    if (n % 500 === 250) await redis.client('KILL', 'TYPE', 'PUBSUB')
  }
  await publisher.publishNow('j', COMPLETE)
  for (const sink of sinks) {
    await until(() => sink.said.includes('complete'), 20_000)
    expect(sink.said).toEqual(['status', ...numbers(2_000), 'complete'])
  }
})

test('a durable Redis that crashes and comes back is followed on without a gap', async () => {
  streams = await startStreams({ durable: true })
  const { publisher, server } = streams
  publisher.publish('j', OPENING)
  const sink = await follow('j')
  for (let n = 0; n < 300; n++) publisher.publish('j', token(n))
  await until(() => sink.said.length > 100)
  await server.kill()
  for (let n = 300; n < 600; n++) publisher.publish('j', token(n))
  await sleep(500)
  await server.start()
  await publisher.publishNow('j', COMPLETE, 20_000)
  await until(() => sink.said.includes('complete'), 20_000)
  expect(sink.said).toEqual(['status', ...numbers(600), 'complete'])
})

test('a Redis that comes back empty is a gap, then live again', async () => {
  streams = await startStreams()
  const { publisher, server } = streams
  publisher.publish('j', OPENING)
  publisher.publish('j', token(0))
  const sink = await follow('j')
  await until(() => sink.said.length === 2)
  await server.kill()
  await server.start()
  publisher.publish('j', token(1))
  await until(() => sink.said.includes('1'), 20_000)
  await publisher.publishNow('j', COMPLETE)
  await until(() => sink.said.includes('complete'), 20_000)
  expect(sink.said).toEqual(['status', '0', 'gap', '1', 'complete'])
})

test('FLUSHALL while following costs a live reader nothing, and a late one is told', async () => {
  streams = await startStreams()
  const { publisher, redis } = streams
  publisher.publish('j', OPENING)
  publisher.publish('j', token(0))
  const sink = await follow('j')
  await until(() => sink.said.length === 2)
  await redis.flushall()
  publisher.publish('j', token(1))
  await publisher.publishNow('j', COMPLETE)
  await until(() => sink.said.includes('complete'))
  expect(sink.said).toEqual(['status', '0', '1', 'complete'])
  const late = await follow('j')
  await until(() => late.said.includes('complete'))
  expect(late.said).toEqual(['gap', '1', 'complete'])
  expect(late.gaps[0]?.ends).toBe(true)
})

test('a Redis that does not answer for seconds is followed on', async () => {
  streams = await startStreams()
  const { publisher, server } = streams
  publisher.publish('j', OPENING)
  const sink = await follow('j')
  await until(() => sink.said.length === 1)
  server.freeze()
  for (let n = 0; n < 50; n++) publisher.publish('j', token(n))
  await sleep(6_500)
  server.thaw()
  await publisher.publishNow('j', COMPLETE, 20_000)
  await until(() => sink.said.includes('complete'), 20_000)
  expect(sink.said).toEqual(['status', ...numbers(50), 'complete'])
})
