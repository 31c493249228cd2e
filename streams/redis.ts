import { Redis } from 'ioredis'
import type { RedisOptions } from 'ioredis'
import type { Logger } from 'pino'
import { Unavailable } from '../domain/errors.ts'

/** How long one command may take, in milliseconds. */
const COMMAND_TIMEOUT = 2_000
/** A socket that owes an answer for this long is closed and opened anew, in milliseconds. */
const SOCKET_TIMEOUT = 5_000
const MAX_WAIT_MS = 1_000

const OPTIONS: RedisOptions = {
  connectTimeout: 2_000,
  commandTimeout: COMMAND_TIMEOUT,
  socketTimeout: SOCKET_TIMEOUT,
  keepAlive: 10_000,
  disableClientInfo: true,
  /** While Redis is away a command fails at once: whoever asked decides what to do, nothing piles up in here. */
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  retryStrategy: attempt => Math.min(MAX_WAIT_MS, 50 * 2 ** Math.min(attempt, 6)),
}

/**
 * The connection for commands. It reconnects for ever and never emits an unhandled error; commands sent while Redis is
 * away are rejected at once.
 */
export function openCommands(url: string, log: Logger): Redis {
  return watched(new Redis(url, { ...OPTIONS, enableAutoPipelining: true }), log, 'commands')
}

/** A connection for `SUBSCRIBE` alone. Whoever uses it subscribes anew at each `ready`. */
export function openSubscriber(url: string, log: Logger): Redis {
  return watched(new Redis(url, { ...OPTIONS, autoResubscribe: false }), log, 'subscriber')
}

/** Closes at once what cannot close politely. */
export async function closeRedis(redis: Redis): Promise<void> {
  if (redis.status === 'ready') await redis.quit().catch(() => undefined)
  redis.disconnect()
}

/** Waits for a reply; whatever goes wrong becomes Unavailable. */
export async function answered<T>(reply: Promise<T>): Promise<T> {
  try {
    return await reply
  } catch (cause) {
    throw new Unavailable('The event streams cannot be reached right now', { cause })
  }
}

/** Logs the changes, not each failed attempt. */
function watched(redis: Redis, log: Logger, role: string): Redis {
  let away = false
  redis.on('error', (err: Error) => {
    if (!away) log.warn({ err, role }, 'redis connection lost')
    away = true
  })
  redis.on('ready', () => {
    if (away) log.info({ role }, 'redis connection restored')
    away = false
  })
  return redis
}
