import { AppError } from '../../domain/shared/errors.ts'
import { formatProblems, type Problem } from '../../domain/shared/json/json.ts'
import { retryAfterMs } from '../shared/retry-after.ts'
import type { Redactor } from '../../domain/tools/redactor.ts'
import { StepError } from '../../domain/runs/step-error.ts'

const MAX_MESSAGE_CHARS = 1_000
const MAX_EXCERPT_CHARS = 500
const TRANSIENT = new Set([408, 425, 429])
/** Errors from the outbound client that mean that a service cannot be reached. */
const UNREACHABLE_CODES = new Set(['OUTBOUND_TIMEOUT', 'CONNECTION_FAILED'])

export const unknownToolError = (why: string): StepError => new StepError('TOOL_UNKNOWN', why)

export const toolFailedError = (why: string): StepError => new StepError('TOOL_FAILED', why.slice(0, MAX_MESSAGE_CHARS))

export const toolUnavailableError = (
  why: string,
  options: { retryAfterMs?: number; mayHaveArrived?: boolean; cause?: unknown } = {},
): StepError => new StepError('TOOL_UNAVAILABLE', why.slice(0, MAX_MESSAGE_CHARS), { retryable: true, ...options })

export function invalidArgumentsError(problems: Problem[]): StepError {
  return new StepError('TOOL_ARGUMENTS_INVALID', formatProblems(problems).slice(0, MAX_MESSAGE_CHARS))
}

/** Returns the error for a response outside 2xx. 408, 425, 429 and 5xx are retryable. */
export function statusError(
  { host, status, headers }: { host: string; status: number; headers: Record<string, string> },
  body: string,
  redactor: Redactor,
): StepError {
  const text = excerpt(redactor.text(body))
  const message = `${host} returned ${status}${text && `: ${text}`}`
  if (!TRANSIENT.has(status) && status < 500) return toolFailedError(message)
  return toolUnavailableError(message, { retryAfterMs: retryAfterMs(headers['retry-after'], Date.now()) })
}

export const excerpt = (text: string): string => text.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_EXCERPT_CHARS)

/** Converts errors from a tool call to TOOL_FAILED or TOOL_UNAVAILABLE. Returns unknown errors unchanged. */
export function toToolFailure(error: unknown): unknown {
  if (error instanceof StepError) {
    const { code, message, mayHaveArrived } = error
    return UNREACHABLE_CODES.has(code) ? toolUnavailableError(message, { mayHaveArrived, cause: error }) : error
  }
  if (!(error instanceof AppError) || error.code === 'INTERNAL') return error
  return error.status >= 500
    ? toolUnavailableError(error.message, { cause: error })
    : toolFailedError(describeAppError(error))
}

const describeAppError = ({ message, details = [] }: AppError): string =>
  details.length > 0 ? `${message}; ${formatProblems(details)}` : message
