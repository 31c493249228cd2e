import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { AppError } from '../../../domain/shared/errors.ts'

/**
 * Throws the error of a method that is no call of a tool. What the caller can mend, and ids that do not exist for it, are
 * invalid parameters.
 */
export function asProtocolError(error: unknown): never {
  if (!(error instanceof AppError)) throw error
  const { status, code, message, details, retryAfter } = error
  const kind = status < 500 ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError
  throw new ProtocolError(kind, message, { code, details, retryAfter })
}
