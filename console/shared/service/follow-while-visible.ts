import { StreamLostError } from '@ganglion/client/errors'

interface Connection {
  /** Opens a connection. Aborting the signal closes it. Resolves when no more events will arrive. */
  open: (signal: AbortSignal) => Promise<void>
  onHidden?: () => void
}

/** Delay in milliseconds before the page reconnects, after the client has given up. */
const LOST_MS = 10_000

/**
 * Keeps a connection open while the page is visible, because browsers allow only six per service without HTTP/2.
 * Returns a function that closes it.
 */
export function followWhileVisible({ open, onHidden }: Connection): () => void {
  let connection: AbortController | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = () => {
    connection?.abort()
    clearTimeout(timer)
  }
  const follow = () => {
    stop()
    if (document.hidden) return onHidden?.()
    connection = new AbortController()
    return void open(connection.signal).catch((error: unknown) => {
      // Any other error means that the page is hidden or closed, or that the service rejects the connection. The next
      // query shows the rejection.
      if (error instanceof StreamLostError) timer = setTimeout(follow, LOST_MS)
    })
  }
  follow()
  document.addEventListener('visibilitychange', follow)
  return () => {
    document.removeEventListener('visibilitychange', follow)
    stop()
  }
}
