/** Fires when the caller has left before the answer was out. */
export function closed(res: {
  once(event: 'close', listener: () => void): unknown
  writableFinished: boolean
}): AbortSignal {
  const left = new AbortController()
  res.once('close', () => {
    if (!res.writableFinished) left.abort()
  })
  return left.signal
}
