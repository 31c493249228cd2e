import { StreamLostError } from '@ganglion/client/errors'

interface Connection {
  /** Opens the connection, which the signal closes. Resolves when nothing more will come. */
  open: (signal: AbortSignal) => Promise<void>
  onHidden?: () => void
}

/** The client gives a connection up after some attempts. The page begins again after this time, in milliseconds. */
const LOST_MS = 10_000

/**
 * Holds a connection while the page is visible, because a browser has six for a service without HTTP/2. Returns the function
 * that ends it.
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
      // Otherwise the page was hidden or left, or the service refuses, which the next query finds out.
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
