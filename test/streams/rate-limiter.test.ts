import { once } from 'node:events'
import type { Redis } from 'ioredis'
import { pino } from 'pino'
import type { RateLimiter } from '../../domain/access/rate-limiter.ts'
import { createRateLimiter } from '../../streams/rate-limiter.ts'
import { closeRedis, openCounters } from '../../streams/redis.ts'
import { waitUntil } from '../support/stack/process.ts'
import { type RedisServer, startRedisServer } from '../support/stack/redis-server.ts'

const LIMIT = 50

let server: RedisServer
let connections: Redis[]
/** The rate limiters of two processes. */
let first: RateLimiter
let second: RateLimiter

beforeEach(async () => {
  server = await startRedisServer()
  connections = [1, 2].map(() => openCounters(server.url, pino({ level: 'silent' })))
  await Promise.all(connections.map(redis => once(redis, 'ready')))
  ;[first, second] = connections.map(createRateLimiter) as [RateLimiter, RateLimiter]
})
afterEach(async () => {
  await Promise.all(connections.map(closeRedis))
  await server.remove()
})

/**
 * Sends concurrent requests for a subject, alternating between the processes. Returns the number of accepted
 * requests.
 */
async function countPassing(subject: string, requests: number, ...limiters: RateLimiter[]): Promise<number> {
  const each = limiters.length > 0 ? limiters : [first, second]
  const share = Array.from({ length: requests / each.length })
  const states = await Promise.all(share.flatMap(() => each.map(limiter => limiter.count(subject, LIMIT))))
  return states.filter(({ isExceeded }) => !isExceeded).length
}

test('two processes together accept exactly the limit, separately for each subject', async () => {
  expect(await countPassing('a', 4 * LIMIT)).toBe(LIMIT)
  expect(await countPassing('b', LIMIT - 2)).toBe(LIMIT - 2)
  expect(await second.count('b', LIMIT)).toMatchObject({ limit: LIMIT, remaining: 1, isExceeded: false })
  expect(await first.count('b', LIMIT)).toMatchObject({ limit: LIMIT, remaining: 0, isExceeded: false })
  const refused = await second.count('b', LIMIT)
  expect(refused).toMatchObject({ limit: LIMIT, remaining: 0, isExceeded: true })
  expect(refused.msToReset).toBeGreaterThan(0)
  expect(refused.msToReset).toBeLessThanOrEqual(60_000)
})

test('a lower limit for the same subject includes earlier requests', async () => {
  await countPassing('a', 20)
  expect(await first.count('a', 10)).toMatchObject({ limit: 10, remaining: 0, isExceeded: true })
})

test.each([
  ['stopped', () => server.kill()],
  ['frozen', async () => server.freeze()],
])('while Redis is %s, each process limits independently', async (_, stop) => {
  await stop()
  expect(await countPassing('a', 3 * LIMIT, first)).toBe(LIMIT)
  expect(await countPassing('a', 3 * LIMIT, second)).toBe(LIMIT)
})

test('the processes share the count again once Redis is available', async () => {
  await server.kill()
  expect(await countPassing('a', 2 * LIMIT, first)).toBe(LIMIT)
  await server.start()
  await waitUntil(() => connections.every(({ status }) => status === 'ready'))
  expect(await countPassing('b', 4 * LIMIT)).toBe(LIMIT)
})
