import { randomUUID } from 'node:crypto'
import type { Redis, Result } from 'ioredis'
import type { Logger } from 'pino'
import type { OpenStreams } from '../domain/shared/open-streams.ts'

/** How long a stream is counted after its process has died without removing it. */
const LEASE_SECONDS = 60
const RENEW_MS = 20_000
/** Number of streams per renewal command. */
const RENEW_COUNT = 1_000

/**
 * Adds a stream to the sorted set for its credential. The score is the end of the stream's lease. Returns 0 if the
 * limit is reached.
 */
const OPEN = `
local now = tonumber(redis.call('TIME')[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
redis.call('ZADD', KEYS[1], now + ARGV[1], ARGV[3])
redis.call('EXPIRE', KEYS[1], ARGV[1])
return 1
`
/** Renews the leases of streams. Also adds streams that Redis has lost. */
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
  /** Returns the number of streams that are open in this process. */
  countOwn(): number
}

const buildKey = (credential: string) => `ganglion:streams:${credential}`

/**
 * Counts open streams in Redis, exactly and across all processes. While Redis does not respond, each process counts
 * only its own streams.
 * @param options.renewMs how often leases are renewed
 */
export function createOpenStreams(redis: Redis, log: Logger, { renewMs = RENEW_MS } = {}): ProcessStreams {
  redis.defineCommand('ganglionOpenStream', { numberOfKeys: 1, lua: OPEN })
  redis.defineCommand('ganglionRenewStreams', { numberOfKeys: 1, lua: RENEW })
  /** The streams that are open in this process, by credential. */
  const localStreams = new Map<string, Set<string>>()
  const timer = setInterval(() => void renew(), renewMs)
  timer.unref()

  async function renew(): Promise<void> {
    for (const [credential, streams] of localStreams) {
      const ids = [...streams]
      for (let from = 0; from < ids.length; from += RENEW_COUNT)
        await redis
          .ganglionRenewStreams(buildKey(credential), LEASE_SECONDS, ...ids.slice(from, from + RENEW_COUNT))
          .catch((err: unknown) => log.debug({ err }, 'failed to renew open streams'))
    }
  }

  /** Returns undefined if Redis does not respond. */
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
    redis.zrem(buildKey(credential), id).catch((err: unknown) => log.debug({ err }, 'failed to remove an open stream'))
  }

  return {
    async open(credential, limit) {
      const id = randomUUID()
      const isOpen = await openInRedis(credential, limit, id)
      // There must be no await between this check and the addition, so that no other stream is opened in between.
      if (!(isOpen ?? isBelowAlone(credential, limit))) return undefined
      localStreams.set(credential, (localStreams.get(credential) ?? new Set()).add(id))
      return () => remove(credential, id)
    },
    countOwn: () => [...localStreams.values()].reduce((sum, { size }) => sum + size, 0),
    close: () => clearInterval(timer),
  }
}
