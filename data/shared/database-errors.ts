import { DatabaseError } from 'pg'
import { QueryFailedError } from 'typeorm'
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

/** Returns true when the statement failed because Postgres is unreachable or overloaded, not because of its content. */
export function isUnavailable(error: unknown): boolean {
  const reply = getDatabaseError(error)
  if (reply?.code) return UNAVAILABLE_CODES.has(reply.code) || reply.code.startsWith('08')
  const cause = error instanceof QueryFailedError ? (error.driverError as NodeJS.ErrnoException) : undefined
  return typeof cause?.syscall === 'string'
}

/** Removes the parameters from the error of a failed statement. They may hold secrets, and errors are logged. */
export function removeParameters(error: unknown): void {
  if (error instanceof QueryFailedError) Object.assign(error, { parameters: undefined })
}

/** Converts an error of a text that cannot be stored to ValidationError. Other errors stay as they are. */
export function toCallerError(error: unknown): unknown {
  const code = getDatabaseError(error)?.code
  return code && UNSTORABLE_CODES.has(code)
    ? new ValidationError('A text must not contain U+0000 or an unpaired surrogate')
    : error
}

/** Returns true when the statement violated this unique constraint or index. */
export function isDuplicate(error: unknown, constraint: string): boolean {
  const reply = getDatabaseError(error)
  return reply?.code === UNIQUE_VIOLATION && reply.constraint === constraint
}

function getDatabaseError(error: unknown): DatabaseError | undefined {
  if (!(error instanceof QueryFailedError)) return undefined
  const cause: unknown = error.driverError
  return cause instanceof DatabaseError ? cause : undefined
}
