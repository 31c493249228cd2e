/** The longest a step waits because the other side asked for it. */
const MAX_WAIT_MS = 60_000

/** `Retry-After` (seconds, or a date) as milliseconds, 60 s at most; undefined where there is nothing to wait for. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  const seconds = Number(header)
  const ms = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(header) - now
  return ms > 0 ? Math.min(ms, MAX_WAIT_MS) : undefined
}
