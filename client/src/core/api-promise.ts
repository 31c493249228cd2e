export interface RateLimit {
  /** Maximum number of requests per minute. */
  limit: number
  remaining: number
  /** End of the current window. */
  reset: Date
}

/** A response with its data. */
export interface ApiResponse<T> {
  data: T
  response: Response
  /** Id of the request in the service logs. */
  requestId?: string
  /** Idempotency key sent with the request, if the operation accepts one. */
  idempotencyKey?: string
  rateLimit?: RateLimit
}

/** A promise for the data of a response. `withResponse()` also returns the response and its metadata. */
export class ApiPromise<T> implements Promise<T> {
  readonly [Symbol.toStringTag] = 'ApiPromise'
  readonly #response: Promise<ApiResponse<T>>

  constructor(response: Promise<ApiResponse<T>>) {
    this.#response = response
  }

  /** Resolves with the data, the response, the request id and the rate limit. */
  withResponse(): Promise<ApiResponse<T>> {
    return this.#response
  }

  // oxlint-disable-next-line unicorn/no-thenable -- a promise
  then<A = T, B = never>(
    onFulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#response.then(({ data }) => data).then(onFulfilled, onRejected)
  }

  catch<B = never>(onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.then(undefined, onRejected)
  }

  finally(onFinally?: (() => void) | null): Promise<T> {
    return this.then().finally(onFinally)
  }
}

/** Reads the rate limit headers, which every response contains. */
export function readRateLimit({ headers }: Response): RateLimit | undefined {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map(name => headers.get(`x-ratelimit-${name}`))
  if (!limit || !remaining || !reset) return undefined
  return { limit: Number(limit), remaining: Number(remaining), reset: new Date(Number(reset) * 1000) }
}
