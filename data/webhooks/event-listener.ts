import { Client } from 'pg'
import { orAborted } from '../../domain/shared/or-aborted.ts'

/** The part of the publisher that sleeps until events are committed. Its process is the only one that has it. */
export interface SleepLock {
  /**
   * Makes transactions that write events wake this process from now on. Returns false while one that does not is still
   * open. After true, what such transactions wrote is visible.
   */
  take(): Promise<boolean>
  release(): Promise<void>
}

interface ListenOptions {
  /** Called when events were committed. */
  onWake: () => void
  /** Called when this process is the one to publish. Its signal aborts when the connection is lost, too. */
  lead: (sleep: SleepLock, signal: AbortSignal) => Promise<void>
  signal: AbortSignal
}

/** Seed of the lock of the process that publishes. */
const LEADER_LOCK = 5_702_111_402
/** As in the trigger of `event_outbox`. */
const SLEEP_LOCK = 5_702_111_403
const KEEP_ALIVE_MS = 10_000
const MAX_CONNECT_MS = 3_000

/** So that Postgres notices a process that is gone, and another one can lead. */
const SETTINGS = `set client_connection_check_interval = '2s'; set tcp_keepalives_idle = 10;
  set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3; listen ganglion_events`

/**
 * Waits on a connection of its own until no other process leads, then calls `lead`. Resolves when the signal aborts;
 * throws when the connection fails or is lost.
 */
export async function listenForEvents(url: string, { onWake, lead, signal }: ListenOptions): Promise<void> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: MAX_CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    application_name: 'ganglion-events',
  })
  const controller = new AbortController()
  const end = () => controller.abort(new Error('The connection has ended'))
  client.on('error', end).on('end', end).on('notification', onWake)
  signal.addEventListener('abort', end, { once: true })
  try {
    await client.connect()
    await client.query(SETTINGS)
    await orAborted(client.query('select pg_advisory_lock($1)', [LEADER_LOCK]), controller.signal)
    await lead(createSleepLock(client), controller.signal)
    controller.signal.throwIfAborted()
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    signal.removeEventListener('abort', end)
    await client.end().catch(() => undefined)
  }
}

function createSleepLock(client: Client): SleepLock {
  return {
    async take() {
      const { rowCount } = await client.query('select where pg_try_advisory_lock($1)', [SLEEP_LOCK])
      return rowCount === 1
    },
    release: async () => void (await client.query('select pg_advisory_unlock($1)', [SLEEP_LOCK])),
  }
}
