import { AISDKError, ToolChoiceViolationError } from 'ai'
import { retryAfterMs } from '../../shared/retry-after.ts'
import { StepError } from '../../../domain/runs/step-error.ts'
import { type ProviderFailure, parseProviderFailure } from './provider-failure.ts'
import { cut } from '../../../domain/shared/text/shorten.ts'

const MAX_REASON_CHARS = 300

/** Returns true if the provider rejected the request, possibly because it does not support the response format. */
export function isRefusedRequest(error: unknown): boolean {
  const failure = parseProviderFailure(error)
  return (failure?.status === 400 || failure?.status === 422) && classifyFailure(failure) === 'MODEL_REFUSED_INPUT'
}

/**
 * Converts an error from a model call to a StepError. `redact` removes keys from quoted messages. The cause is
 * dropped because it contains the request.
 */
export function providerError(error: unknown, model: string, redact: (text: string) => string): StepError {
  if (error instanceof StepError) return error
  const failure = parseProviderFailure(error)
  if (!failure) return localError(error, redact)
  const code = classifyFailure(failure)
  const status = failure.status === undefined ? '' : ` (${failure.status})`
  const detail = failure.message && `: ${cut(redact(failure.message), MAX_REASON_CHARS)}`
  const message = messages(model)[code]
  // Messages about keys may quote part of a key.
  const text = code === 'MODEL_AUTH' ? `${message}${status}` : `${message}${status}${detail}`
  return new StepError(code, text, { retryable: RETRYABLE.has(code), retryAfterMs: parseRetryAfter(failure) })
}

/** Converts errors that occurred without a response: the call could not be encoded, or the connection failed. */
function localError(error: unknown, redact: (text: string) => string): StepError {
  if (ToolChoiceViolationError.isInstance(error)) {
    return error.finishReason === 'content-filter'
      ? new StepError('MODEL_REFUSED_INPUT', 'The model or its provider refused to answer')
      : new StepError('MODEL_OUTPUT_INVALID', 'The model did not call the required tool', { retryable: true })
  }
  if (AISDKError.isInstance(error) && UNSENDABLE.has(error.name)) {
    const why = cut(redact(error.message), MAX_REASON_CHARS)
    return new StepError('MODEL_REFUSED_INPUT', `The conversation could not be sent to the model: ${why}`)
  }
  return new StepError('MODEL_UNAVAILABLE', 'The model provider could not be reached or closed the connection', {
    retryable: true,
  })
}

const UNSENDABLE = new Set([
  'AI_InvalidPromptError',
  'AI_InvalidArgumentError',
  'AI_InvalidMessageRoleError',
  'AI_MessageConversionError',
  'AI_MissingToolResultsError',
  'AI_UnsupportedFunctionalityError',
])

type FailureCode =
  | 'MODEL_AUTH'
  | 'UNKNOWN_MODEL'
  | 'MODEL_CONTEXT_OVERFLOW'
  | 'MODEL_RATE_LIMIT'
  | 'MODEL_OVERLOADED'
  | 'MODEL_REFUSED_INPUT'
  | 'MODEL_UNAVAILABLE'

const RETRYABLE = new Set<FailureCode>(['MODEL_RATE_LIMIT', 'MODEL_OVERLOADED', 'MODEL_UNAVAILABLE'])

const messages = (model: string): Record<FailureCode, string> => ({
  MODEL_AUTH: 'The model provider rejected the credentials or the account',
  UNKNOWN_MODEL: `The provider does not know the model "${model}"`,
  MODEL_CONTEXT_OVERFLOW: `The conversation exceeds the context of the model "${model}"`,
  MODEL_RATE_LIMIT: "The model provider's rate limit is exceeded",
  MODEL_OVERLOADED: 'The model provider is overloaded',
  MODEL_REFUSED_INPUT: 'The model provider rejected the request',
  MODEL_UNAVAILABLE: 'The model provider returned an error',
})

/**
 * Provider codes, which are checked before the status: an exhausted account returns 429, and an invalid Google key
 * returns 400.
 */
const WORDS: [FailureCode, RegExp][] = [
  [
    'MODEL_AUTH',
    /^(?:authentication_error|permission_error|invalid_api_key|api_key_invalid|unauthenticated|permission_denied|insufficient_quota|billing_error)$/,
  ],
  ['UNKNOWN_MODEL', /^(?:model_not_found|not_found_error)$/],
  ['MODEL_CONTEXT_OVERFLOW', /^(?:context_length_exceeded|exceed_context_size_error|request_too_large)$/],
  ['MODEL_RATE_LIMIT', /^(?:rate_limit_error|rate_limit_exceeded|resource_exhausted|too_many_requests)$/],
  [
    'MODEL_OVERLOADED',
    /^(?:overloaded_error|overloaded|server_overloaded|server_is_overloaded|engine_overloaded|slow_down|unavailable)$/,
  ],
  ['MODEL_REFUSED_INPUT', /^(?:content_filter|content_policy_violation|invalid_prompt)$/],
]

/** Messages for a context overflow. Most providers have no code for this case. */
const TOO_LONG =
  /context[ _](?:length|window|size)|maximum context|prompt is too long|input is too long|input token count .{0,40}exceeds|too many tokens/i

function classifyFailure({ status, words, message }: ProviderFailure): FailureCode {
  const match = WORDS.find(([, pattern]) => words.some(word => pattern.test(word)))
  if (match) return match[0]
  if ((status === undefined || status === 400 || status === 413 || status === 422) && TOO_LONG.test(message))
    return 'MODEL_CONTEXT_OVERFLOW'
  return status === undefined ? byType(words) : byStatus(status)
}

const byType = (words: string[]): FailureCode =>
  words.includes('invalid_request_error') ? 'MODEL_REFUSED_INPUT' : 'MODEL_UNAVAILABLE'

function byStatus(status: number): FailureCode {
  if (status === 401 || status === 402 || status === 403) return 'MODEL_AUTH'
  if (status === 404) return 'UNKNOWN_MODEL'
  if (status === 429) return 'MODEL_RATE_LIMIT'
  if (status === 529) return 'MODEL_OVERLOADED'
  return status >= 400 && status < 500 && status !== 408 && status !== 409 ? 'MODEL_REFUSED_INPUT' : 'MODEL_UNAVAILABLE'
}

function parseRetryAfter({ headers, retryDelay }: ProviderFailure): number | undefined {
  const ms = Number(headers['retry-after-ms'])
  const seconds = ms > 0 ? String(ms / 1_000) : (headers['retry-after'] ?? retryDelay?.replace(/s$/, ''))
  return retryAfterMs(seconds, Date.now())
}
