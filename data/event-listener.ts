import { Client } from 'pg'

/** Keep-alive of the idle connection, so that a lost server is noticed. */
const KEEP_ALIVE_MS = 10_000
const MAX_CONNECT_MS = 3_000

/**
 * Calls `onWake` when events were committed to the outbox, on a connection of its own. Resolves when the signal aborts,
 * and throws when the connection fails or is lost: what was committed meanwhile wakes nobody.
 */
export async function listenForEvents(url: string, onWake: () => void, signal: AbortSignal): Promise<void> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: MAX_CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    application_name: 'ganglion-events',
  })
  const lost = new Promise<never>((_, reject) => {
    client.on('error', reject)
    client.on('end', () => reject(new Error('The connection has ended')))
  })
  lost.catch(() => undefined)
  const stopped = new Promise<void>(resolve => signal.addEventListener('abort', () => resolve(), { once: true }))
  client.on('notification', onWake)
  try {
    await client.connect()
    await client.query('listen ganglion_events')
    onWake()
    await Promise.race([lost, stopped])
  } finally {
    await client.end().catch(() => undefined)
  }
}
