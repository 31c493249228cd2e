interface Connection {
  /** Opens the connection, which the signal closes. `isShownAgain`: the page was hidden or shown before. */
  open: (signal: AbortSignal, isShownAgain: boolean) => Promise<void>
  onHidden?: () => void
}

/**
 * Holds a connection while the page is visible, because a browser has six for a service without HTTP/2. Returns the function
 * that ends it.
 */
export function followWhileVisible({ open, onHidden }: Connection): () => void {
  let connection: AbortController | undefined
  const follow = (isShownAgain: boolean) => {
    connection?.abort()
    if (document.hidden) return onHidden?.()
    connection = new AbortController()
    return void open(connection.signal, isShownAgain)
  }
  const onChange = () => follow(true)
  follow(false)
  document.addEventListener('visibilitychange', onChange)
  return () => {
    document.removeEventListener('visibilitychange', onChange)
    connection?.abort()
  }
}
