import { APICallError, InvalidResponseDataError } from '@ai-sdk/provider'
import { Unavailable } from '../../domain/shared/errors.ts'
import { createRedactor } from '../../domain/tools/redactor.ts'

const MAX_WAIT_SECONDS = 3_600

/** Thrown for a vector without a direction. */
export class InvalidVector extends Error {}

/** Converts the error of a failed call. Removes texts and keys, which the provider may quote. */
export function unavailableError(error: unknown, model: string, apiKey: string | undefined): Unavailable {
  if (error instanceof Unavailable) return error
  const message = error instanceof Error ? error.message.slice(0, 300) : String(error)
  const cause = new Error(createRedactor(apiKey ? [apiKey] : []).text(message))
  const failure = classifyFailure(error)
  const retry = failure === 'EMBEDDING_RATE_LIMIT' ? parseRetryAfter(error) : {}
  return new Unavailable(describeFailure(failure, model, findStatus(error)), { cause, ...retry })
}

type Failure =
  | 'EMBEDDING_AUTH'
  | 'EMBEDDING_UNKNOWN_MODEL'
  | 'EMBEDDING_RATE_LIMIT'
  | 'EMBEDDING_FAILED'
  | 'EMBEDDING_BAD_ANSWER'
  | 'EMBEDDING_UNAVAILABLE'

export function classifyFailure(error: unknown): Failure {
  const status = findStatus(error)
  if (status === 401 || status === 403) return 'EMBEDDING_AUTH'
  if (status === 404) return 'EMBEDDING_UNKNOWN_MODEL'
  if (status === 429) return 'EMBEDDING_RATE_LIMIT'
  if (status !== undefined && status >= 400) return 'EMBEDDING_FAILED'
  const isInvalid = InvalidResponseDataError.isInstance(error) || error instanceof InvalidVector
  const isAnswer = status !== undefined || isInvalid || error instanceof Unavailable
  return isAnswer ? 'EMBEDDING_BAD_ANSWER' : 'EMBEDDING_UNAVAILABLE'
}

const findStatus = (error: unknown): number | undefined =>
  APICallError.isInstance(error) ? error.statusCode : undefined

const describeFailure = (failure: Failure, model: string, status: number | undefined): string =>
  ({
    EMBEDDING_AUTH: `The embedding provider rejected the credentials (${status})`,
    EMBEDDING_UNKNOWN_MODEL: `The embedding provider does not have the model "${model}"`,
    EMBEDDING_RATE_LIMIT: "The embedding provider's rate limit is exceeded",
    EMBEDDING_FAILED: `The embedding provider failed (${status})`,
    EMBEDDING_BAD_ANSWER: 'The embedding provider sent an invalid response',
    EMBEDDING_UNAVAILABLE: 'The embedding provider was unreachable or closed the connection',
  })[failure]

function parseRetryAfter(error: unknown): { retryAfter?: number } {
  const seconds = APICallError.isInstance(error) ? Number(error.responseHeaders?.['retry-after']) : Number.NaN
  return seconds > 0 && seconds <= MAX_WAIT_SECONDS ? { retryAfter: seconds } : {}
}
