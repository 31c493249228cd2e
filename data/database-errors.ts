import { DatabaseError } from 'pg'
import { QueryFailedError } from 'typeorm'
import { ValidationError } from '../domain/errors.ts'

const UNIQUE_VIOLATION = '23505'

/** Postgres is going, gone, coming, full, or could not serve the statement in time. */
const UNAVAILABLE_CODES = new Set([
  '25P03', // idle in transaction for too long
  '40P01', // deadlock: this side was chosen to yield
  '53300', // too many connections
  '55P03', // lock not available
  '57014', // statement timeout
  '57P01', // terminated by an administrator
  '57P02', // crash shutdown
  '57P03', // starting up or shutting down
  '57P05', // idle session timeout
])

/** Text that Postgres cannot hold: NUL, or half a surrogate pair. */
const UNSTORABLE_CODES = new Set(['22021', '22P05'])

/** True when the statement failed because Postgres is away or overloaded, not because of what it said. */
export function isUnavailable(error: unknown): boolean {
  const reply = getDatabaseError(error)
  if (reply?.code) return UNAVAILABLE_CODES.has(reply.code) || reply.code.startsWith('08')
  const cause = error instanceof QueryFailedError ? (error.driverError as NodeJS.ErrnoException) : undefined
  return typeof cause?.syscall === 'string'
}

/** What was sent with a failed statement may be anybody's secret, and errors end in logs. */
export function removeParameters(error: unknown): void {
  if (error instanceof QueryFailedError) Object.assign(error, { parameters: undefined })
}

/** The error a caller may see: what cannot be stored is the caller's mistake, all else stays as it is. */
export function toCallerError(error: unknown): unknown {
  const code = getDatabaseError(error)?.code
  return code && UNSTORABLE_CODES.has(code)
    ? new ValidationError('A text must not contain U+0000 or an unpaired surrogate')
    : error
}

/** True when a row with the same unique value is there already, by the name of its constraint or index. */
export function isDuplicate(error: unknown, constraint: string): boolean {
  const reply = getDatabaseError(error)
  return reply?.code === UNIQUE_VIOLATION && reply.constraint === constraint
}

function getDatabaseError(error: unknown): DatabaseError | undefined {
  if (!(error instanceof QueryFailedError)) return undefined
  const cause: unknown = error.driverError
  return cause instanceof DatabaseError ? cause : undefined
}
