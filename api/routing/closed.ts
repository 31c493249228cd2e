/** Returns a signal that aborts when the caller disconnects before the response is sent. */
export function createDisconnectSignal(res: {
  once(event: 'close', listener: () => void): unknown
  writableFinished: boolean
}): AbortSignal {
  const left = new AbortController()
  res.once('close', () => {
    if (!res.writableFinished) left.abort()
  })
  return left.signal
}
