import { APICallError } from '@ai-sdk/provider'
import { retryAfterMs } from '../retry-after.ts'
import { StepError } from '../step-error.ts'

const LONGEST_REASON = 300

/** True where the provider refused the request as such, which a response format it does not know may be the cause of. */
export const isRefusedRequest = (error: unknown): boolean =>
  APICallError.isInstance(error) && (error.statusCode === 400 || error.statusCode === 422)

/**
 * What a failed model call means for the run: MODEL_RATE_LIMIT and MODEL_UNAVAILABLE are worth a retry; MODEL_AUTH,
 * UNKNOWN_MODEL and MODEL_REFUSED_INPUT are not. `redact` keeps keys out of what the provider is quoted with.
 */
export function providerError(error: unknown, model: string, redact: (text: string) => string): StepError {
  if (error instanceof StepError) return error
  const status = APICallError.isInstance(error) ? error.statusCode : undefined
  const reason =
    APICallError.isInstance(error) && status !== undefined ? redact(error.message).slice(0, LONGEST_REASON) : ''
  const said = reason && `: ${reason}`
  if (status === 401 || status === 403) {
    return new StepError('MODEL_AUTH', `The model provider refused the credentials (${status})`, {
      retryable: false,
      cause: error,
    })
  }
  if (status === 404) return new StepError('UNKNOWN_MODEL', `The provider does not know the model "${model}"${said}`)
  if (status === 429) return transient('MODEL_RATE_LIMIT', `The model provider asks to slow down${said}`, error)
  if (status !== undefined && status >= 400 && status < 500 && status !== 408 && status !== 409) {
    return new StepError('MODEL_REFUSED_INPUT', `The model provider refused the request (${status})${said}`, {
      retryable: false,
      cause: error,
    })
  }
  return transient(
    'MODEL_UNAVAILABLE',
    status ? `The model provider failed (${status})${said}` : 'The model provider broke off or could not be reached',
    error,
  )
}

function transient(code: string, message: string, cause: unknown): StepError {
  const header = APICallError.isInstance(cause) ? cause.responseHeaders?.['retry-after'] : undefined
  return new StepError(code, message, { retryable: true, retryAfterMs: retryAfterMs(header, Date.now()), cause })
}
