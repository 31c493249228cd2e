import { DatabaseError } from 'pg'
import { ValidationError } from '../../domain/shared/errors.ts'

const UNIQUE_VIOLATION = '23505'

/** Codes of a Postgres that is starting, stopping, full, or too slow for the statement. */
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

/** Codes of text that Postgres cannot store: NUL, or an unpaired surrogate. */
const UNSTORABLE_CODES = new Set(['22021', '22P05'])

/** Returns true when Postgres refused the statement because it is overloaded or stops, not because of its content. */
export function isUnavailable(error: unknown): boolean {
  const code = error instanceof DatabaseError ? error.code : undefined
  return code !== undefined && (UNAVAILABLE_CODES.has(code) || code.startsWith('08'))
}

/** Returns true when the connection to Postgres failed. */
export const isConnectionError = (error: unknown): boolean =>
  error instanceof Error && typeof (error as NodeJS.ErrnoException).syscall === 'string'

/** Converts an error of a text that cannot be stored to ValidationError. Other errors stay as they are. */
export function toCallerError(error: unknown): unknown {
  const code = error instanceof DatabaseError ? error.code : undefined
  return code && UNSTORABLE_CODES.has(code)
    ? new ValidationError('A text must not contain U+0000 or an unpaired surrogate')
    : error
}

/** Returns true when the statement violated this unique constraint or index. */
export function isDuplicate(error: unknown, constraint: string): boolean {
  return error instanceof DatabaseError && error.code === UNIQUE_VIOLATION && error.constraint === constraint
}
