import { Redis } from 'ioredis'
import type { RedisOptions } from 'ioredis'
import type { Logger } from 'pino'
import { Unavailable } from '../domain/shared/errors.ts'

const COMMAND_TIMEOUT_MS = 2_000
/** How long a socket may wait for a reply before it is closed and reopened. */
const SOCKET_TIMEOUT_MS = 5_000
const MAX_RECONNECT_MS = 1_000
/**
 * Shorter than for other commands, because requests wait for the result. After a timeout, the limiter counts locally.
 */
const COUNT_TIMEOUT_MS = 500
const COUNT_SOCKET_TIMEOUT_MS = 1_000

const OPTIONS: RedisOptions = {
  /** Commands from one event loop turn are sent together. */
  enableAutoPipelining: true,
  connectTimeout: 2_000,
  commandTimeout: COMMAND_TIMEOUT_MS,
  socketTimeout: SOCKET_TIMEOUT_MS,
  keepAlive: 10_000,
  disableClientInfo: true,
  /** Without a connection, a command fails immediately, and the caller decides whether to retry. */
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  retryStrategy: attempt => Math.min(MAX_RECONNECT_MS, 50 * 2 ** Math.min(attempt, 6)),
}

/**
 * Opens the connection for commands. It keeps trying to reconnect. Without a connection, commands are rejected
 * immediately.
 */
export function openCommands(url: string, log: Logger, ca?: string): Redis {
  return logConnectionState(new Redis(url, { ...OPTIONS, ...buildTlsOptions(ca) }), log, 'commands')
}

/** Opens the connection for the rate limiter. It times out earlier than the connection for commands. */
export function openCounters(url: string, log: Logger, ca?: string): Redis {
  const timeouts = { commandTimeout: COUNT_TIMEOUT_MS, socketTimeout: COUNT_SOCKET_TIMEOUT_MS }
  return logConnectionState(new Redis(url, { ...OPTIONS, ...timeouts, ...buildTlsOptions(ca) }), log, 'counters')
}

/** Opens a connection that is used only for `SUBSCRIBE`. The caller must subscribe again on each `ready` event. */
export function openSubscriber(url: string, log: Logger, ca?: string): Redis {
  return logConnectionState(
    new Redis(url, { ...OPTIONS, autoResubscribe: false, ...buildTlsOptions(ca) }),
    log,
    'subscriber',
  )
}

/** Returns the options for a server whose certificate was issued by these CAs. */
const buildTlsOptions = (ca: string | undefined): RedisOptions => (ca === undefined ? {} : { tls: { ca } })

/** Closes a connection gracefully if it is ready, otherwise immediately. */
export async function closeRedis(redis: Redis): Promise<void> {
  if (redis.status === 'ready') await redis.quit().catch(() => undefined)
  redis.disconnect()
}

/** Waits for a reply. Converts every error to Unavailable. */
export async function orUnavailable<T>(reply: Promise<T>): Promise<T> {
  try {
    return await reply
  } catch (cause) {
    throw new Unavailable('The event streams are currently unavailable', { cause })
  }
}

/** Logs changes of the connection state, but not each failed attempt to connect. */
function logConnectionState(redis: Redis, log: Logger, role: string): Redis {
  let isLost = false
  redis.on('error', (err: Error) => {
    if (!isLost) log.warn({ err, role }, 'redis connection lost')
    isLost = true
  })
  redis.on('ready', () => {
    if (isLost) log.info({ role }, 'redis connection restored')
    isLost = false
  })
  return redis
}
