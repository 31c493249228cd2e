import type { Problem } from './json/json.ts'

export type ErrorCode =
  | 'AUTH_REQUIRED'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'VALIDATION_ERROR'
  | 'CONFLICT'
  | 'CLAIMED'
  | 'GONE'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'RANGE_NOT_SATISFIABLE'
  | 'RATE_LIMIT'
  | 'trial_expired'
  | 'cost_cap'
  | 'UNAVAILABLE'
  | 'RUN_FAILED'
  | 'INTERNAL'
  | ToolErrorCode

/** Codes of tools that are called directly. A refused outbound call has the code of its refusal. */
export type ToolErrorCode = 'TOOL_UNKNOWN' | 'TOOL_ARGUMENTS_INVALID' | 'TOOL_FAILED' | 'TOOL_UNAVAILABLE'

/**
 * The base class of errors. `message` is shown to the caller and must not name internals, `cause` is for the log only,
 * and the API maps the error to `{message, code, details?, retryAfter?}`.
 */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly details?: Problem[]
  /** Seconds after which the caller may try again. */
  readonly retryAfter?: number

  constructor(
    code: ErrorCode,
    status: number,
    message: string,
    options: { details?: Problem[]; retryAfter?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.name = new.target.name
    this.code = code
    this.status = status
    this.details = options.details
    this.retryAfter = options.retryAfter
  }
}

export class AuthRequired extends AppError {
  constructor(message = 'Missing or invalid credentials') {
    super('AUTH_REQUIRED', 401, message)
  }
}

export class Forbidden extends AppError {
  constructor(message = 'Insufficient permissions', details?: Problem[]) {
    super('FORBIDDEN', 403, message, { details })
  }
}

/** Unknown ids and ids of other workspaces cause the same error. */
export class NotFound extends AppError {
  constructor(subject = 'Resource') {
    super('NOT_FOUND', 404, `${subject} does not exist`)
  }
}

export class ValidationError extends AppError {
  constructor(message: string, details?: Problem[]) {
    super('VALIDATION_ERROR', 400, message, { details })
  }
}

export class RequestTimeout extends AppError {
  constructor() {
    super('VALIDATION_ERROR', 408, 'The request took too long to arrive')
  }
}

export class Conflict extends AppError {
  constructor(message: string, details?: Problem[]) {
    super('CONFLICT', 409, message, { details })
  }
}

/** Another person has claimed the task. The message names who and since when. */
export class Claimed extends AppError {
  constructor(message: string) {
    super('CLAIMED', 409, message)
  }
}

export class PayloadTooLarge extends AppError {
  constructor(message: string) {
    super('PAYLOAD_TOO_LARGE', 413, message)
  }
}

export class UnsupportedMediaType extends AppError {
  constructor(message: string) {
    super('UNSUPPORTED_MEDIA_TYPE', 415, message)
  }
}

/** The run whose result the caller waits for has failed. The job contains the details. */
export class RunFailed extends AppError {
  constructor(job: { job_id: string; failed_code: string | null; failed_reason: string | null }) {
    const { job_id, failed_code, failed_reason } = job
    super('RUN_FAILED', 502, `The run ${job_id} failed: ${failed_code ?? 'FAILED'}: ${failed_reason ?? 'unknown'}`)
  }
}

/** The caller or its workspace exceeds a limit. The request had no effect. */
export class RateLimited extends AppError {
  /** @param retryAfter whole seconds */
  constructor(message: string, retryAfter = 1) {
    super('RATE_LIMIT', 429, message, { retryAfter })
  }
}

/** The trial of the workspace has ended. Reads continue to work. */
export class TrialExpired extends AppError {
  constructor(endedAt: string) {
    super('trial_expired', 403, `The trial of the workspace ended at ${endedAt}; only reads are possible`)
  }
}

/** The workspace has used, or its runs in flight may still use, what its plan includes in the month. Reads continue to work. */
export class CostCap extends AppError {
  constructor(includedUsd: number) {
    super('cost_cap', 403, `The ${includedUsd} USD that the plan includes in a month are used or reserved`)
  }
}

/** A component is unavailable. The request had no effect, or is safe to repeat. */
export class Unavailable extends AppError {
  constructor(
    message = 'The service cannot do this right now',
    options: { cause?: unknown; retryAfter?: number } = {},
  ) {
    super('UNAVAILABLE', 503, message, { retryAfter: 2, ...options })
  }
}

/** Whether the same request may succeed later: a component is unavailable, or a limit was reached for a time. */
export const isTransient = (error: unknown): boolean => error instanceof Unavailable || error instanceof RateLimited
