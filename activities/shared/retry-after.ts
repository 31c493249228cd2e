/** Default of the maximum delay of a retry that the server requests. */
const MAX_WAIT_MS = 60_000

/** Converts `Retry-After` (seconds, or a date) to milliseconds, `maxMs` at most, or undefined without delay. */
export function retryAfterMs(header: string | undefined, now: number, maxMs = MAX_WAIT_MS): number | undefined {
  if (header === undefined) return undefined
  const seconds = Number(header)
  const ms = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(header) - now
  return ms > 0 ? Math.min(ms, maxMs) : undefined
}
