import type { Problem } from './json.ts'

export type ErrorCode =
  | 'AUTH_REQUIRED'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'VALIDATION_ERROR'
  | 'CONFLICT'
  | 'GONE'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'RANGE_NOT_SATISFIABLE'
  | 'RATE_LIMIT'
  | 'UNAVAILABLE'
  | 'RUN_FAILED'
  | 'INTERNAL'
  | ToolErrorCode

/** Of a tool that was called directly; what outbound calls are refused with comes as its own code. */
export type ToolErrorCode = 'TOOL_UNKNOWN' | 'TOOL_ARGUMENTS_INVALID' | 'TOOL_FAILED' | 'TOOL_UNAVAILABLE'

/**
 * The one error family of the house. `message` is shown to the caller, so it never names anything inner;
 * `cause` is for the log only. The API edge maps it once to `{message, code, details?, retryAfter?}`.
 */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly details?: Problem[]
  /** Seconds after which a caller may try again. */
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
  constructor(message = 'Insufficient permissions') {
    super('FORBIDDEN', 403, message)
  }
}

/** Unknown ids and other workspaces' ids give the same answer. */
export class NotFound extends AppError {
  constructor(what = 'Resource') {
    super('NOT_FOUND', 404, `${what} does not exist`)
  }
}

export class ValidationError extends AppError {
  constructor(message: string, details?: Problem[]) {
    super('VALIDATION_ERROR', 400, message, { details })
  }
}

export class Conflict extends AppError {
  constructor(message: string) {
    super('CONFLICT', 409, message)
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

/** A run whose answer was waited for has failed; the job says how. */
export class RunFailed extends AppError {
  constructor(job: { job_id: string; failed_code: string | null; failed_reason: string | null }) {
    const { job_id, failed_code, failed_reason } = job
    super('RUN_FAILED', 502, `The run ${job_id} failed: ${failed_code ?? 'FAILED'}: ${failed_reason ?? 'unknown'}`)
  }
}

/** A component is away. Nothing was done, or sending the same again is safe. */
export class Unavailable extends AppError {
  constructor(
    message = 'The service cannot do this right now',
    options: { cause?: unknown; retryAfter?: number } = {},
  ) {
    super('UNAVAILABLE', 503, message, { retryAfter: 2, ...options })
  }
}
