import type { Redis } from 'ioredis'
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import type { RateLimiter } from '../domain/access/rate-limiter.ts'

const WINDOW_SECONDS = 60
const PREFIX = 'ganglion:requests'

/**
 * Counts requests in Redis with one command per request, so that all processes share the counts. While Redis does not
 * respond, each process counts separately. Once a subject exceeds its limit, the process rejects its requests without
 * asking Redis until the window ends.
 */
export function createRateLimiter(redis: Redis): RateLimiter {
  /** Limiters by limit. There is one for each limit in the plans. */
  const limiters = new Map<number, RateLimiterRedis>()

  function findLimiter(points: number): RateLimiterRedis {
    const cachedLimiter = limiters.get(points)
    if (cachedLimiter) return cachedLimiter
    const window = { points, duration: WINDOW_SECONDS, keyPrefix: PREFIX }
    const limiter = new RateLimiterRedis({
      ...window,
      storeClient: redis,
      inMemoryBlockOnConsumed: points + 1,
      insuranceLimiter: new RateLimiterMemory(window),
    })
    limiters.set(points, limiter)
    return limiter
  }

  return {
    async count(subject, limit, requests = 1) {
      const counted = await consume(findLimiter(limit), subject, requests)
      const { remainingPoints: remaining, msBeforeNext: msToReset } = counted.state
      return { limit, remaining, msToReset, isExceeded: counted.isExceeded }
    },
  }
}

/** The library rejects the promise with the subject's state when the subject exceeds its limit. */
async function consume(
  limiter: RateLimiterRedis,
  subject: string,
  requests: number,
): Promise<{ state: RateLimiterRes; isExceeded: boolean }> {
  try {
    return { state: await limiter.consume(subject, requests), isExceeded: false }
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error
    return { state: error, isExceeded: true }
  }
}
