import { DatabaseError } from 'pg'
import { ValidationError } from '../../domain/shared/errors.ts'

const UNIQUE_VIOLATION = '23505'

/** Error codes of a Postgres server that is starting, stopping, overloaded or too slow to run the statement. */
const UNAVAILABLE_CODES = new Set([
  '25P03', // idle in transaction for too long
  '40P01', // deadlock, and this transaction was aborted
  '53300', // too many connections
  '55P03', // lock not available
  '57014', // statement timeout
  '57P01', // terminated by an administrator
  '57P02', // crash shutdown
  '57P03', // starting up or shutting down
  '57P05', // idle session timeout
])

/** Error codes for text that Postgres cannot store, because it contains NUL or an unpaired surrogate. */
const UNSTORABLE_CODES = new Set(['22021', '22P05'])

/**
 * Returns true when Postgres rejected a statement because the server is overloaded or stopping, not because of the
 * statement.
 */
export function isUnavailable(error: unknown): boolean {
  const code = error instanceof DatabaseError ? error.code : undefined
  return code !== undefined && (UNAVAILABLE_CODES.has(code) || code.startsWith('08'))
}

/** Returns true when the connection to Postgres failed. */
export const isConnectionError = (error: unknown): boolean =>
  error instanceof Error && typeof (error as NodeJS.ErrnoException).syscall === 'string'

/** Converts an error about text that Postgres cannot store to a ValidationError. Returns other errors unchanged. */
export function toCallerError(error: unknown): unknown {
  const code = error instanceof DatabaseError ? error.code : undefined
  return code && UNSTORABLE_CODES.has(code)
    ? new ValidationError('Text must not contain U+0000 or an unpaired surrogate')
    : error
}

/** Returns true when the statement violated this unique constraint or index. */
export function isDuplicate(error: unknown, constraint: string): boolean {
  return error instanceof DatabaseError && error.code === UNIQUE_VIOLATION && error.constraint === constraint
}
