import { randomUUID } from 'node:crypto'
import type { Redis, Result } from 'ioredis'
import type { Logger } from 'pino'
import type { OpenStreams } from '../domain/shared/open-streams.ts'

/** A stream whose process has ended without removing it counts for this long. */
const LEASE_SECONDS = 60
const RENEW_MS = 20_000
/** Streams in one command of a renewal. */
const RENEW_COUNT = 1_000

/** Adds a stream to the sorted set of its credential, with the end of its lease as score. Returns 0 at the limit. */
const OPEN = `
local now = tonumber(redis.call('TIME')[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
redis.call('ZADD', KEYS[1], now + ARGV[1], ARGV[3])
redis.call('EXPIRE', KEYS[1], ARGV[1])
return 1
`
/** Renews the leases of streams, also of those that Redis has lost. */
const RENEW = `
local ends = tonumber(redis.call('TIME')[1]) + ARGV[1]
for i = 2, #ARGV do redis.call('ZADD', KEYS[1], ends, ARGV[i]) end
redis.call('EXPIRE', KEYS[1], ARGV[1])
return 1
`

declare module 'ioredis' {
  interface RedisCommander<Context> {
    ganglionOpenStream(key: string, lease: number, limit: number, id: string): Result<number, Context>
    ganglionRenewStreams(key: string, lease: number, ...ids: string[]): Result<number, Context>
  }
}

export interface ProcessStreams extends OpenStreams {
  /** Returns the number of streams that this process has open. */
  countOwn(): number
}

const buildKey = (credential: string) => `ganglion:streams:${credential}`

/**
 * Counts open streams in Redis, exactly over all processes. While Redis does not answer, each process counts its own.
 * @param options.renewMs how often leases are renewed
 */
export function createOpenStreams(redis: Redis, log: Logger, { renewMs = RENEW_MS } = {}): ProcessStreams {
  redis.defineCommand('ganglionOpenStream', { numberOfKeys: 1, lua: OPEN })
  redis.defineCommand('ganglionRenewStreams', { numberOfKeys: 1, lua: RENEW })
  /** The streams of this process. */
  const localStreams = new Map<string, Set<string>>()
  const timer = setInterval(() => void renew(), renewMs)
  timer.unref()

  async function renew(): Promise<void> {
    for (const [credential, streams] of localStreams) {
      const ids = [...streams]
      for (let from = 0; from < ids.length; from += RENEW_COUNT)
        await redis
          .ganglionRenewStreams(buildKey(credential), LEASE_SECONDS, ...ids.slice(from, from + RENEW_COUNT))
          .catch((err: unknown) => log.debug({ err }, 'renewing open streams failed'))
    }
  }

  /** Returns undefined while Redis does not answer. */
  async function openInRedis(credential: string, limit: number, id: string): Promise<boolean | undefined> {
    try {
      return (await redis.ganglionOpenStream(buildKey(credential), LEASE_SECONDS, limit, id)) === 1
    } catch {
      return undefined
    }
  }

  const isBelowAlone = (credential: string, limit: number) => (localStreams.get(credential)?.size ?? 0) < limit

  function remove(credential: string, id: string): void {
    const streams = localStreams.get(credential)
    streams?.delete(id)
    if (streams?.size === 0) localStreams.delete(credential)
    redis.zrem(buildKey(credential), id).catch((err: unknown) => log.debug({ err }, 'removing an open stream failed'))
  }

  return {
    async open(credential, limit) {
      const id = randomUUID()
      const isOpen = await openInRedis(credential, limit, id)
      // From here to the addition nothing is awaited, so that no other stream comes between.
      if (!(isOpen ?? isBelowAlone(credential, limit))) return undefined
      localStreams.set(credential, (localStreams.get(credential) ?? new Set()).add(id))
      return () => remove(credential, id)
    },
    countOwn: () => [...localStreams.values()].reduce((sum, { size }) => sum + size, 0),
    close: () => clearInterval(timer),
  }
}
