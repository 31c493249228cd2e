import { Redis } from 'ioredis'
import type { RedisOptions } from 'ioredis'
import type { Logger } from 'pino'
import { Unavailable } from '../domain/shared/errors.ts'

const COMMAND_TIMEOUT_MS = 2_000
/** A socket whose reply is missing for this long is closed and opened again. */
const SOCKET_TIMEOUT_MS = 5_000
const MAX_RECONNECT_MS = 1_000
/** A request waits for its count, so the limiter counts locally after a shorter time. */
const COUNT_TIMEOUT_MS = 500
const COUNT_SOCKET_TIMEOUT_MS = 1_000

const OPTIONS: RedisOptions = {
  /** Commands of one turn of the event loop are sent together. */
  enableAutoPipelining: true,
  connectTimeout: 2_000,
  commandTimeout: COMMAND_TIMEOUT_MS,
  socketTimeout: SOCKET_TIMEOUT_MS,
  keepAlive: 10_000,
  disableClientInfo: true,
  /** Without a connection, a command fails immediately: the caller decides whether to retry. */
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  retryStrategy: attempt => Math.min(MAX_RECONNECT_MS, 50 * 2 ** Math.min(attempt, 6)),
}

/** The connection for commands. It reconnects for ever; without a connection, commands are rejected immediately. */
export function openCommands(url: string, log: Logger, ca?: string): Redis {
  return logConnectionState(new Redis(url, { ...OPTIONS, ...buildTlsOptions(ca) }), log, 'commands')
}

/** The connection of the rate limiter. It gives up earlier than that for commands. */
export function openCounters(url: string, log: Logger, ca?: string): Redis {
  const timeouts = { commandTimeout: COUNT_TIMEOUT_MS, socketTimeout: COUNT_SOCKET_TIMEOUT_MS }
  return logConnectionState(new Redis(url, { ...OPTIONS, ...timeouts, ...buildTlsOptions(ca) }), log, 'counters')
}

/** A connection for `SUBSCRIBE` alone. Its user subscribes again at each `ready`. */
export function openSubscriber(url: string, log: Logger, ca?: string): Redis {
  return logConnectionState(
    new Redis(url, { ...OPTIONS, autoResubscribe: false, ...buildTlsOptions(ca) }),
    log,
    'subscriber',
  )
}

/** Returns the options for a server whose certificate is of these CAs. */
const buildTlsOptions = (ca: string | undefined): RedisOptions => (ca === undefined ? {} : { tls: { ca } })

/** Closes a connection, immediately if it is not ready. */
export async function closeRedis(redis: Redis): Promise<void> {
  if (redis.status === 'ready') await redis.quit().catch(() => undefined)
  redis.disconnect()
}

/** Awaits a reply. Throws Unavailable for every error. */
export async function orUnavailable<T>(reply: Promise<T>): Promise<T> {
  try {
    return await reply
  } catch (cause) {
    throw new Unavailable('The event streams cannot be reached right now', { cause })
  }
}

/** Logs changes of the state, not each failed attempt. */
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
