import { setTimeout as sleep } from 'node:timers/promises'

/** Time limit for a probe, and lifetime of its result, in milliseconds. */
const PROBE_MS = 1_000
const FRESH_MS = 1_000

/**
 * Returns a function that calls `ask` at most once a second and never concurrently. If the result is late, the
 * function returns `otherwise`.
 */
export function createRateLimitedProbe<T>(ask: () => Promise<T>, otherwise: T): () => Promise<T> {
  let startedAt = -Infinity
  let answer = Promise.resolve(otherwise)
  let pending = false
  return () => {
    if (!pending && Date.now() - startedAt >= FRESH_MS) {
      startedAt = Date.now()
      pending = true
      const result = ask().finally(() => (pending = false))
      answer = Promise.race([result, sleep(PROBE_MS, otherwise, { ref: false })])
    }
    return answer
  }
}
