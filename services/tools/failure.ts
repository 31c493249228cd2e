import { AppError, type ToolErrorCode } from '../../domain/shared/errors.ts'

/** HTTP statuses by code. The default is 422. */
const STATUS: Partial<Record<string, number>> = {
  TOOL_UNKNOWN: 404,
  TOOL_ARGUMENTS_INVALID: 400,
  NODE_INPUT_INVALID: 400,
  BAD_URL: 400,
  BAD_REQUEST: 400,
  BLOCKED_ADDRESS: 403,
  FORBIDDEN: 403,
  HOST_NOT_ALLOWED: 403,
  SECRET_NOT_AVAILABLE: 403,
  CANCELLED: 409,
  TOOL_FAILED: 422,
  TOO_MANY_REDIRECTS: 502,
  RESPONSE_TOO_LARGE: 502,
  TIMEOUT: 502,
  INTERNAL: 500,
  TOOL_UNAVAILABLE: 503,
}

/** A direct call that failed, with the code of its job. */
export class ToolCallError extends AppError {
  constructor(code: string, message: string) {
    // The message may contain responses of other systems, which are not logged.
    super(code as ToolErrorCode, STATUS[code] ?? 422, message, { cause: new Error(`tool failed: ${code}`) })
  }
}
