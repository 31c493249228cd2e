import { once } from 'node:events'
import { Redis } from 'ioredis'
import { pino } from 'pino'
import { createOpenStreams, type ProcessStreams } from '../../streams/open-streams.ts'
import { closeRedis, openCounters } from '../../streams/redis.ts'
import { waitUntil } from '../support/stack/process.ts'
import { type RedisServer, startRedisServer } from '../support/stack/redis-server.ts'

const LIMIT = 5
const KEY = 'ganglion:streams:a'

let server: RedisServer
let connections: Redis[]
/** The open streams of two processes. */
let first: ProcessStreams
let second: ProcessStreams

beforeEach(async () => {
  server = await startRedisServer()
  const log = pino({ level: 'silent' })
  connections = [1, 2].map(() => openCounters(server.url, log))
  await Promise.all(connections.map(redis => once(redis, 'ready')))
  ;[first, second] = connections.map(redis => createOpenStreams(redis, log, { renewMs: 50 })) as [
    ProcessStreams,
    ProcessStreams,
  ]
})
afterEach(async () => {
  first.close()
  second.close()
  await Promise.all(connections.map(closeRedis))
  await server.remove()
})

/** Opens streams for a credential all at once. Returns the functions that close the admitted streams. */
async function openMany(credential: string, count: number, ...processes: ProcessStreams[]): Promise<(() => void)[]> {
  const share = Array.from({ length: count / processes.length })
  const opened = await Promise.all(share.flatMap(() => processes.map(process => process.open(credential, LIMIT))))
  return opened.filter(release => release !== undefined)
}

test('two processes together admit exactly the limit, and a closed stream frees a slot', async () => {
  const releases = await openMany('a', 4 * LIMIT, first, second)
  expect(releases).toHaveLength(LIMIT)
  expect(await openMany('b', LIMIT, second)).toHaveLength(LIMIT)
  releases[0]?.()
  await waitUntil(async () => (await second.open('a', LIMIT)) !== undefined)
  expect(await first.open('a', LIMIT)).toBeUndefined()
})

test('the streams of a process that has ended count until their leases expire', async () => {
  expect(await openMany('a', LIMIT, first)).toHaveLength(LIMIT)
  first.close()
  expect(await second.open('a', LIMIT)).toBeUndefined()
  const redis = new Redis(server.url)
  for (const id of await redis.zrange(KEY, 0, -1)) await redis.zadd(KEY, 1, id)
  await redis.quit()
  expect(await openMany('a', 2 * LIMIT, second)).toHaveLength(LIMIT)
})

test('while Redis is stopped, each process counts its own streams, and streams that Redis has lost are counted again', async () => {
  expect(await openMany('a', 2, first)).toHaveLength(2)
  await server.kill()
  expect(await openMany('a', 2 * LIMIT, first)).toHaveLength(LIMIT - 2)
  expect(await openMany('a', 2 * LIMIT, second)).toHaveLength(LIMIT)
  await server.start()
  await waitUntil(async () => (await connections[0]?.zcard(KEY).catch(() => 0)) === 2 * LIMIT)
  expect(await second.open('a', 2 * LIMIT)).toBeUndefined()
})
