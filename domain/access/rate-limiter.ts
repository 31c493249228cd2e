/** State of a rate limit after a request was counted. */
export interface RateLimitState {
  /** Requests per window. */
  limit: number
  remaining: number
  /** Milliseconds until the window ends and the count restarts. */
  msToReset: number
  /** True if the request exceeds the limit. */
  isExceeded: boolean
}

/** Counts requests in windows of one minute. A window starts with the first request of a subject. */
export interface RateLimiter {
  /** Counts requests (default: one) from a subject, such as a credential or an IP address. Does not throw. */
  count(subject: string, requestsPerMinute: number, requests?: number): Promise<RateLimitState>
}
