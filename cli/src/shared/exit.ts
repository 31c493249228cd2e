/** The exit codes. Scripts depend on them. */
export const EXIT = {
  done: 0,
  error: 1,
  usage: 2,
  /** Not signed in, or not permitted. */
  denied: 4,
  notFound: 5,
  /** Another version, or a key that was used for another request. */
  conflict: 6,
  /** The run waits for a person, and there is none to ask here. */
  waits: 7,
  runFailed: 8,
  /** The time is over; a run goes on. */
  timedOut: 9,
  /** The service could not be reached, or cannot do it at present. */
  away: 75,
  interrupted: 130,
} as const

/** An end of a command with another code than 0. Without a message nothing is printed. */
export class CliError extends Error {
  readonly exitCode: number
  /** Added to the error in JSON. */
  readonly fields: object

  constructor(exitCode: number, message: string, fields: object = {}) {
    super(message)
    this.name = 'CliError'
    this.exitCode = exitCode
    this.fields = fields
  }
}

export const usageError = (message: string): CliError => new CliError(EXIT.usage, message)

/** What the client's errors end a command with, by their code or else their name. */
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

/** Builds what is printed of an error, and the exit code. Nothing is matched by text. */
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
