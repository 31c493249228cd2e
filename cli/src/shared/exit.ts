/** Exit codes. Scripts depend on them. */
export const EXIT = {
  done: 0,
  error: 1,
  usage: 2,
  /** Not signed in or missing permission. */
  denied: 4,
  notFound: 5,
  /** The version has changed, or the idempotency key was used for a different request. */
  conflict: 6,
  /** The run is waiting for an answer and there is no terminal. */
  waits: 7,
  runFailed: 8,
  /** The time limit was reached. A started run continues. */
  timedOut: 9,
  /** The service is unreachable or temporarily unavailable. */
  away: 75,
  interrupted: 130,
} as const

/** Ends a command with an exit code other than 0. If the message is empty, nothing is printed. */
export class CliError extends Error {
  readonly exitCode: number
  /** Fields to add to the error in JSON output. */
  readonly fields: object

  constructor(exitCode: number, message: string, fields: object = {}) {
    super(message)
    this.name = 'CliError'
    this.exitCode = exitCode
    this.fields = fields
  }
}

export const usageError = (message: string): CliError => new CliError(EXIT.usage, message)

/** Exit codes by error code, or by error name. */
const CODES: Record<string, number> = {
  AUTH_REQUIRED: EXIT.denied,
  FORBIDDEN: EXIT.denied,
  trial_expired: EXIT.denied,
  cost_cap: EXIT.denied,
  NOT_FOUND: EXIT.notFound,
  GONE: EXIT.notFound,
  CONFLICT: EXIT.conflict,
  CLAIMED: EXIT.conflict,
  RATE_LIMIT: EXIT.away,
  UNAVAILABLE: EXIT.away,
  ConnectionError: EXIT.away,
  StreamLostError: EXIT.away,
  TimeoutError: EXIT.timedOut,
  RunFailedError: EXIT.runFailed,
  AbortedError: EXIT.interrupted,
}

export interface Failure {
  exitCode: number
  message: string
  code: string
  details?: { pointer: string; message: string }[]
  request_id?: string
}

/** Returns the fields of an error to print, and the exit code. Uses error codes and names, never message texts. */
export function describeFailure(error: unknown): Failure {
  const { name, message } = error instanceof Error ? error : { name: 'Error', message: String(error) }
  if (error instanceof CliError)
    return { ...error.fields, exitCode: error.exitCode, message, code: getExitName(error.exitCode) }
  const {
    code = name,
    details,
    requestId,
    status = 0,
  } = error as { code?: string; details?: Failure['details']; requestId?: string; status?: number }
  const isAway = code === 'UNKNOWN' && status >= 502 && status <= 504
  const exitCode = CODES[name] ?? CODES[code] ?? (isAway ? EXIT.away : EXIT.error)
  return { exitCode, message, code, details, request_id: requestId }
}

const getExitName = (exitCode: number) => Object.entries(EXIT).find(([, code]) => code === exitCode)?.[0] ?? 'error'
