import { APIError, ConnectionError } from '../errors.ts'
import { backOff } from './signals.ts'
import type { RequestOptions, RequestSpec } from './transport.ts'

const MAX_DELAY_MS = 8_000
const MAX_RETRY_AFTER_SECONDS = 60
/** Statuses that a proxy returns if it did not reach the service or lost the connection. */
const OF_PROXIES = new Set([502, 503, 504])

/**
 * Whether a failed request may be sent again. The decision uses the error code, not the status: a 409 is a version
 * conflict, and repeating a 502 with RUN_FAILED would run an agent again. A request that may have taken effect is
 * repeated only if repeating it has no second effect. A rate-limited request had no effect.
 */
export function mayRepeat(request: RequestSpec, options: RequestOptions, error: unknown): boolean {
  if (request.body instanceof ReadableStream) return false
  if (APIError.is(error, 'RATE_LIMIT')) return true
  const isHarmless = request.repeats === 'safe' || (request.repeats === 'key' && options.idempotencyKey !== undefined)
  return isHarmless && isPassing(error)
}

/**
 * Whether a failure may be temporary: no connection, an unavailable component, or a proxy that cannot reach the
 * service.
 */
export function isPassing(error: unknown): boolean {
  if (error instanceof ConnectionError) return true
  if (!APIError.is(error)) return false
  const { code, status } = error
  return code === 'RATE_LIMIT' || code === 'UNAVAILABLE' || (code === 'UNKNOWN' && OF_PROXIES.has(status))
}

/** Milliseconds to wait before the next attempt. */
export function retryDelay(error: unknown, attempt: number): number {
  const { retryAfter = 0 } = APIError.is(error) ? error : {}
  return Math.max(Math.min(retryAfter, MAX_RETRY_AFTER_SECONDS) * 1000, backOff(attempt, MAX_DELAY_MS))
}
