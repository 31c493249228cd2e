/** Default maximum for a retry delay that a server requests. */
const MAX_WAIT_MS = 60_000

/**
 * Converts `Retry-After` (seconds or a date) to milliseconds, at most `maxMs`. Returns undefined if there is no
 * delay.
 */
export function retryAfterMs(header: string | undefined, now: number, maxMs = MAX_WAIT_MS): number | undefined {
  if (header === undefined) return undefined
  const seconds = Number(header)
  const ms = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(header) - now
  return ms > 0 ? Math.min(ms, maxMs) : undefined
}
