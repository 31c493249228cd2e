/** Several callers, each of which works again and again. Returns a function that ends them. */
export function repeat(callers: number, work: () => Promise<unknown>): () => Promise<void> {
  const over = new AbortController()
  const running = Array.from({ length: callers }, async () => {
    while (!over.signal.aborted) await work()
  })
  return async () => {
    over.abort()
    await Promise.allSettled(running)
  }
}
