import { once } from 'node:events'
import { pino } from 'pino'
import { createJobPublisher } from '../../streams/job-publisher.ts'
import { createEventSource } from '../../streams/event-source.ts'
import { closeRedis, openCommands, openSubscriber } from '../../streams/redis.ts'
import { startRedisServer } from '../support/stack/redis-server.ts'

const log = pino({ level: 'silent' })

/** Starts Redis with a publisher and a reader on separate connections, as in the worker and the API. */
export async function startStreams(options: { durable?: boolean; maxLength?: number; bufferLimit?: number } = {}) {
  const { durable, maxLength = 10_000, bufferLimit } = options
  const server = await startRedisServer({ durable })
  const writing = openCommands(server.url, log)
  const reading = openCommands(server.url, log)
  const subscriber = openSubscriber(server.url, log)
  await Promise.all([writing, reading, subscriber].map(redis => once(redis, 'ready')))
  const publisher = createJobPublisher(writing, { maxLength, ttlSeconds: 60, log, bufferLimit })
  const events = createEventSource({ commands: reading, subscriber, log })
  return {
    server,
    redis: reading,
    subscriber,
    publisher,
    events,
    async close() {
      events.close()
      await Promise.all([writing, reading, subscriber].map(closeRedis))
      await server.remove()
    },
  }
}

export type Streams = Awaited<ReturnType<typeof startStreams>>
