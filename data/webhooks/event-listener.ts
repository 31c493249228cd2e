import { Client } from 'pg'
import { orAborted } from '../../domain/shared/or-aborted.ts'

/** Lets the publisher sleep until events are committed. Only the publishing process can hold this lock. */
export interface SleepLock {
  /**
   * Takes the lock, so that transactions that start later and write events wake this process. Returns false while an
   * earlier transaction that does not wake it is still open. After true is returned, the writes of earlier
   * transactions are visible.
   */
  take(): Promise<boolean>
  release(): Promise<void>
}

interface ListenOptions {
  /** Called when new events have been committed. */
  onWake: () => void
  /**
   * Called when this process becomes the publisher. The signal aborts when the caller's signal aborts or the
   * connection is lost.
   */
  lead: (sleep: SleepLock, signal: AbortSignal) => Promise<void>
  signal: AbortSignal
}

/** The advisory lock that the publishing process holds. */
const LEADER_LOCK = 5_702_111_402
/** Must equal the value in the trigger of `event_outbox`. */
const SLEEP_LOCK = 5_702_111_403
const KEEP_ALIVE_MS = 10_000
const MAX_CONNECT_MS = 3_000

/** Lets Postgres detect that a process has died, so that another one can become the publisher. */
const SETTINGS = `set client_connection_check_interval = '2s'; set tcp_keepalives_idle = 10;
  set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3; listen ganglion_events`

/**
 * Waits on its own connection until no other process is the publisher, then calls `lead`. Resolves when the signal
 * aborts. Throws when the connection can't be opened or is lost.
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
