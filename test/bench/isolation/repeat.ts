import { GanglionError } from '@ganglion/client'

/** Starts several callers that repeat the work, even after a refusal. Returns a function that stops them. */
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
