import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { AppError } from '../../../domain/shared/errors.ts'

/**
 * Throws the protocol error for a method other than a tool call. Errors that the caller can fix, and unknown ids, are
 * reported as invalid parameters.
 */
export function asProtocolError(error: unknown): never {
  if (!(error instanceof AppError)) throw error
  const { status, code, message, details, retryAfter } = error
  const kind = status < 500 ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError
  throw new ProtocolError(kind, message, { code, details, retryAfter })
}
