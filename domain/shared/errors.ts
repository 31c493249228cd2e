import type { Problem } from './json/json.ts'

/**
 * The codes of API errors, with their usual HTTP status and their meaning. Other protocols use the status to distinguish
 * requests that were refused (4xx) from failures (5xx).
 */
export const ERROR_CODES = {
  AUTH_REQUIRED: { status: 401, meaning: 'The credential is missing, invalid, expired or revoked' },
  FORBIDDEN: { status: 403, meaning: 'The caller lacks a permission. The message names the permission' },
  trial_expired: { status: 403, meaning: 'The trial of the workspace has ended. Reads still work' },
  cost_cap: { status: 403, meaning: "The workspace's monthly budget is used up or reserved. Reads still work" },
  NOT_FOUND: { status: 404, meaning: 'The object does not exist, or the caller may not see it' },
  METHOD_NOT_ALLOWED: { status: 405, meaning: 'The path exists, but not with this method. `Allow` lists the methods' },
  VALIDATION_ERROR: {
    status: 400,
    meaning: 'The request is invalid. `details` lists each problem with its JSON pointer',
  },
  CONFLICT: { status: 409, meaning: 'The state of the object does not allow the request' },
  CLAIMED: { status: 409, meaning: 'Another person has claimed the task' },
  GONE: { status: 410, meaning: 'The route was removed. The message names its replacement' },
  PAYLOAD_TOO_LARGE: { status: 413, meaning: 'The body, document or audio exceeds the size limit' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, meaning: 'The media type or charset is not supported' },
  RANGE_NOT_SATISFIABLE: { status: 416, meaning: 'The requested byte range is outside of the content' },
  RATE_LIMIT: { status: 429, meaning: 'A limit is exceeded. Retry after `retryAfter` seconds' },
  INTERNAL: { status: 500, meaning: 'An unexpected error. Search the log for the `X-Request-ID` of the response' },
  RUN_FAILED: { status: 502, meaning: 'The request waited for a run, and the run failed' },
  UNAVAILABLE: { status: 503, meaning: 'A component is unavailable. The request is safe to retry' },
  TOOL_UNKNOWN: { status: 404, meaning: 'The tool does not exist' },
  TOOL_ARGUMENTS_INVALID: { status: 400, meaning: "The arguments don't match the schema of the tool" },
  TOOL_FAILED: { status: 422, meaning: 'The tool returned an error' },
  TOOL_UNAVAILABLE: { status: 503, meaning: 'The tool server cannot be reached' },
} as const

export type ErrorCode = keyof typeof ERROR_CODES

/** Codes of tools that are called directly. A refused outbound call has its own code. */
export type ToolErrorCode = Extract<ErrorCode, `TOOL_${string}`>

interface AppErrorOptions {
  /** Default: the usual status of the code. */
  status?: number
  details?: Problem[]
  /** Seconds after which the caller may retry. */
  retryAfter?: number
  cause?: unknown
}

/**
 * Base class of errors. `message` is shown to the caller and must not name internals. `cause` is only logged. The API
 * maps the error to `{message, code, details?, retryAfter?}`.
 */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly details?: Problem[]
  /** Seconds after which the caller may retry. */
  readonly retryAfter?: number

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    const { status = ERROR_CODES[code].status, details, retryAfter, cause } = options
    super(message, { cause })
    this.name = new.target.name
    this.code = code
    this.status = status
    this.details = details
    this.retryAfter = retryAfter
  }
}

/** Returns whether a request was refused (4xx). The message says why. All other errors are failures of the service. */
export const isRefusal = (error: unknown): error is AppError => error instanceof AppError && error.status < 500

export class AuthRequired extends AppError {
  constructor(message = 'Missing or invalid credentials') {
    super('AUTH_REQUIRED', message)
  }
}

export class Forbidden extends AppError {
  constructor(message = 'Insufficient permissions', details?: Problem[]) {
    super('FORBIDDEN', message, { details })
  }
}

/** Unknown ids and ids from other workspaces cause the same error. */
export class NotFound extends AppError {
  constructor(subject = 'Resource') {
    super('NOT_FOUND', `${subject} does not exist`)
  }
}

export class ValidationError extends AppError {
  constructor(message: string, details?: Problem[]) {
    super('VALIDATION_ERROR', message, { details })
  }
}

export class RequestTimeout extends AppError {
  constructor() {
    super('VALIDATION_ERROR', 'The request took too long to arrive', { status: 408 })
  }
}

export class Conflict extends AppError {
  constructor(message: string, details?: Problem[]) {
    super('CONFLICT', message, { details })
  }
}

/** Another person has claimed the task. The message names the person and the time of the claim. */
export class Claimed extends AppError {
  constructor(message: string) {
    super('CLAIMED', message)
  }
}

export class PayloadTooLarge extends AppError {
  constructor(message: string) {
    super('PAYLOAD_TOO_LARGE', message)
  }
}

export class UnsupportedMediaType extends AppError {
  constructor(message: string) {
    super('UNSUPPORTED_MEDIA_TYPE', message)
  }
}

/** The awaited run has failed. The job contains the details. */
export class RunFailed extends AppError {
  constructor(job: { job_id: string; failed_code: string | null; failed_reason: string | null }) {
    const { job_id, failed_code, failed_reason } = job
    super('RUN_FAILED', `Run ${job_id} failed: ${failed_code ?? 'FAILED'}: ${failed_reason ?? 'unknown'}`)
  }
}

/** The caller or its workspace exceeds a limit. The request had no effect. */
export class RateLimited extends AppError {
  /** @param retryAfter whole seconds */
  constructor(message: string, retryAfter = 1) {
    super('RATE_LIMIT', message, { retryAfter })
  }
}

/** The workspace's trial has ended. Reads still work. */
export class TrialExpired extends AppError {
  constructor(endedAt: string) {
    super('trial_expired', `The trial of the workspace ended at ${endedAt}; only reads are possible`)
  }
}

/** The workspace has used its monthly budget, or its running jobs have reserved it. Reads still work. */
export class CostCap extends AppError {
  constructor(includedUsd: number) {
    super('cost_cap', `The plan's monthly budget of ${includedUsd} USD is used up or reserved`)
  }
}

/** A component is unavailable. The request had no effect, or is safe to retry. */
export class Unavailable extends AppError {
  constructor(
    message = 'The service cannot do this right now',
    options: { cause?: unknown; retryAfter?: number } = {},
  ) {
    super('UNAVAILABLE', message, { retryAfter: 2, ...options })
  }
}

/**
 * Returns whether the same request may succeed later: a component is unavailable, or a limit was reached temporarily.
 */
export const isTransient = (error: unknown): boolean => error instanceof Unavailable || error instanceof RateLimited
