/**
 * Marks this client's errors, including errors from another copy of the package, for which `instanceof` returns
 * false.
 */
const BRAND = Symbol.for('@ganglion/client/error')

/** The base class of all client errors. */
export class GanglionError extends Error {
  readonly [BRAND] = true

  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = new.target.name
  }

  /** Whether a value is an error from this client or from another copy of the package. */
  static is(value: unknown): value is GanglionError {
    return typeof value === 'object' && value !== null && BRAND in value
  }
}

/** A problem in a request: a JSON pointer and a message. */
export interface Problem {
  pointer: string
  message: string
}

export interface ApiErrorFields {
  status: number
  /** An API error code, or `UNKNOWN` if another server, such as a proxy, responded. */
  code: string
  message: string
  details?: Problem[]
  requestId?: string
  /** Seconds to wait before a retry. */
  retryAfter?: number
  /** Idempotency key sent with the request. */
  idempotencyKey?: string
}

/** An error response from the API. Errors with unknown codes have exactly this class. */
export class APIError extends GanglionError {
  readonly status: number
  readonly code: string
  readonly details?: Problem[]
  readonly requestId?: string
  readonly retryAfter?: number
  readonly idempotencyKey?: string

  constructor(fields: ApiErrorFields) {
    super(fields.message)
    this.status = fields.status
    this.code = fields.code
    this.details = fields.details
    this.requestId = fields.requestId
    this.retryAfter = fields.retryAfter
    this.idempotencyKey = fields.idempotencyKey
  }

  /**
   * Whether a value is an API error, optionally with this code. Also recognizes errors from another copy of the
   * package.
   */
  static override is(value: unknown, code?: string): value is APIError {
    return GanglionError.is(value) && 'status' in value && (code === undefined || (value as APIError).code === code)
  }
}

export class AuthRequiredError extends APIError {}
export class ForbiddenError extends APIError {}
export class NotFoundError extends APIError {}
/** The request is invalid. `details` lists each problem with a JSON pointer. */
export class ValidationError extends APIError {}
/**
 * The request conflicts with the current state, for example because the resource has a newer version. The client
 * doesn't retry the request.
 */
export class ConflictError extends APIError {}
/** Another person has claimed the task. The message names that person. */
export class ClaimedError extends ConflictError {}
export class GoneError extends APIError {}
export class PayloadTooLargeError extends APIError {}
export class UnsupportedMediaTypeError extends APIError {}
export class RateLimitError extends APIError {}
export class TrialExpiredError extends APIError {}
export class CostCapError extends APIError {}
/** A component of the service is unavailable. The client has already retried the request if that is safe. */
export class UnavailableError extends APIError {}
export class InternalError extends APIError {}
export class ToolError extends APIError {}

/**
 * A run has failed. Thrown for the result of a run, and for a request that waits for a run (status 502). Such a
 * request is not retried, because a retry would start another run. For results, `code` is the error code of the run.
 */
export class RunFailedError extends APIError {
  /** Id of the failed run. Absent if the request that was waiting did not receive it. */
  readonly jobId?: string

  constructor(fields: ApiErrorFields & { jobId?: string }) {
    super(fields)
    this.jobId = fields.jobId
  }
}

/** The service is unreachable, or the connection broke. */
export class ConnectionError extends GanglionError {}
/** The call took longer than its `timeout`. It may still have taken effect. */
export class TimeoutError extends GanglionError {}
/** The caller aborted the call with its signal. If the call started a run, the run continues. */
export class AbortedError extends GanglionError {}

/** A stream could not be resumed. To resume later, pass `lastEventId`: `stream({ after })`. */
export class StreamLostError extends GanglionError {
  readonly lastEventId?: string

  constructor(lastEventId: string | undefined, cause: unknown) {
    super('The stream ended early and could not be resumed', { cause })
    this.lastEventId = lastEventId
  }
}

const CLASSES: Record<string, new (fields: ApiErrorFields) => APIError> = {
  AUTH_REQUIRED: AuthRequiredError,
  FORBIDDEN: ForbiddenError,
  NOT_FOUND: NotFoundError,
  VALIDATION_ERROR: ValidationError,
  CONFLICT: ConflictError,
  CLAIMED: ClaimedError,
  GONE: GoneError,
  PAYLOAD_TOO_LARGE: PayloadTooLargeError,
  UNSUPPORTED_MEDIA_TYPE: UnsupportedMediaTypeError,
  RATE_LIMIT: RateLimitError,
  trial_expired: TrialExpiredError,
  cost_cap: CostCapError,
  UNAVAILABLE: UnavailableError,
  RUN_FAILED: RunFailedError,
  INTERNAL: InternalError,
  TOOL_UNKNOWN: ToolError,
  TOOL_ARGUMENTS_INVALID: ToolError,
  TOOL_FAILED: ToolError,
  TOOL_UNAVAILABLE: ToolError,
}

/** Creates the error for a response. The error code determines the class. */
export function apiError(fields: ApiErrorFields): APIError {
  const Class = Object.hasOwn(CLASSES, fields.code) ? CLASSES[fields.code] : undefined
  return new (Class ?? APIError)(fields)
}
