/** Returns a signal that aborts when the caller disconnects before the response is sent. */
export function createDisconnectSignal(res: {
  once(event: 'close', listener: () => void): unknown
  writableFinished: boolean
}): AbortSignal {
  const controller = new AbortController()
  res.once('close', () => {
    if (!res.writableFinished) controller.abort()
  })
  return controller.signal
}
