import { GanglionError } from '@ganglion/client'

/** Several callers, each of which works again and again, also when it is refused. Returns a function that ends them. */
export function repeat(callers: number, work: () => Promise<unknown>): () => Promise<void> {
  const over = new AbortController()
  const running = Array.from({ length: callers }, async () => {
    while (!over.signal.aborted)
      await work().catch((error: unknown) => {
        if (!GanglionError.is(error)) throw error
      })
  })
  return async () => {
    over.abort()
    await Promise.allSettled(running)
  }
}
