export interface RateLimit {
  /** Requests per minute. */
  limit: number
  remaining: number
  /** When the present window ends. */
  reset: Date
}

/** A response with its data. */
export interface ApiResponse<T> {
  data: T
  response: Response
  /** Names the request in the logs of the service. */
  requestId?: string
  /** The key under which the request was sent, if the operation takes one. */
  idempotencyKey?: string
  rateLimit?: RateLimit
}

/** The data of a response. `withResponse()` also gives what came with it. */
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

/** Reads the headers that every response has. */
export function readRateLimit({ headers }: Response): RateLimit | undefined {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map(name => headers.get(`x-ratelimit-${name}`))
  if (!limit || !remaining || !reset) return undefined
  return { limit: Number(limit), remaining: Number(remaining), reset: new Date(Number(reset) * 1000) }
}
