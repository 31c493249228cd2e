/** Marks errors of this client, also those of another copy of it, for which `instanceof` is false. */
const BRAND = Symbol.for('@ganglion/client/error')

/** The base class of all errors of the client. */
export class GanglionError extends Error {
  readonly [BRAND] = true

  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = new.target.name
  }

  /** Whether a value is an error of this client, also of another copy of the package. */
  static is(value: unknown): value is GanglionError {
    return typeof value === 'object' && value !== null && BRAND in value
  }
}

/** One problem of a request: a JSON pointer and what is wrong there. */
export interface Problem {
  pointer: string
  message: string
}

export interface ApiErrorFields {
  status: number
  /** One of the API's codes; `UNKNOWN` where another server answered, such as a proxy. */
  code: string
  message: string
  details?: Problem[]
  requestId?: string
  /** Seconds after which the request may be repeated. */
  retryAfter?: number
  /** The key under which the request was sent. */
  idempotencyKey?: string
}

/** A response of the API that is not a success. Codes that this client does not know have this class. */
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

  /** Whether a value is a response of the API, with this code if one is given, also of another copy of the package. */
  static override is(value: unknown, code?: string): value is APIError {
    return GanglionError.is(value) && 'status' in value && (code === undefined || (value as APIError).code === code)
  }
}

export class AuthRequiredError extends APIError {}
export class ForbiddenError extends APIError {}
export class NotFoundError extends APIError {}
/** The request is invalid. `details` lists each problem with its place. */
export class ValidationError extends APIError {}
/** The request conflicts with the current state, such as another version of a resource. It is not repeated. */
export class ConflictError extends APIError {}
/** Another person has claimed the question. The message says who. */
export class ClaimedError extends ConflictError {}
export class GoneError extends APIError {}
export class PayloadTooLargeError extends APIError {}
export class UnsupportedMediaTypeError extends APIError {}
export class RateLimitError extends APIError {}
export class TrialExpiredError extends APIError {}
export class CostCapError extends APIError {}
/** A component of the service is away. The client has repeated the request where that is safe. */
export class UnavailableError extends APIError {}
export class InternalError extends APIError {}
export class ToolError extends APIError {}

/**
 * A run has failed. Thrown for the result of a run, and for a request that waited for one (status 502); that request is
 * not repeated, since it would run again. `code` of a result is that of the run.
 */
export class RunFailedError extends APIError {
  /** Absent where the request that waited did not learn it. */
  readonly jobId?: string

  constructor(fields: ApiErrorFields & { jobId?: string }) {
    super(fields)
    this.jobId = fields.jobId
  }
}

/** The service could not be reached, or the connection broke. */
export class ConnectionError extends GanglionError {}
/** The call took longer than its `timeout`. It may have taken effect. */
export class TimeoutError extends GanglionError {}
/** The caller aborted the call by its signal. A run goes on. */
export class AbortedError extends GanglionError {}

/** A stream could not be resumed. `lastEventId` is where another attempt goes on: `stream({ after })`. */
export class StreamLostError extends GanglionError {
  readonly lastEventId?: string

  constructor(lastEventId: string | undefined, cause: unknown) {
    super('The stream could not be read to its end', { cause })
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

/** Builds the error of a response, of the class of its code. */
export function apiError(fields: ApiErrorFields): APIError {
  const Class = Object.hasOwn(CLASSES, fields.code) ? CLASSES[fields.code] : undefined
  return new (Class ?? APIError)(fields)
}
