/**
 * Delays between attempts in seconds, about a day in total. Based on Standard Webhooks, with more attempts in the
 * first minutes.
 */
const DELAYS_SECONDS = [5, 60, 300, 1_800, 7_200, 18_000, 28_800, 36_000]

/** The longest delay that an endpoint can request: 12 hours. */
export const MAX_RETRY_AFTER_MS = 43_200_000

/** Delays vary by this fraction, so that deliveries that failed together are not retried together. */
const JITTER = 0.2

/**
 * Returns the delay before the next attempt in milliseconds, or undefined after the last one.
 * @param attempts attempts so far
 * @param retryAfterMs delay requested by the endpoint; ignored if shorter than the regular delay
 * @param random from 0 to 1
 */
export function computeRetryDelay(attempts: number, retryAfterMs = 0, random = Math.random()): number | undefined {
  const seconds = DELAYS_SECONDS[attempts - 1]
  if (seconds === undefined) return undefined
  const delay = seconds * 1_000 * (1 + JITTER * (2 * random - 1))
  return Math.round(Math.max(delay, Math.min(retryAfterMs, MAX_RETRY_AFTER_MS)))
}
