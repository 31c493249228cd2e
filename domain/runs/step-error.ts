/** Error detail of a failed call that may have taken effect. */
export const MAY_HAVE_ARRIVED = 'may_have_arrived'

/**
 * A failed step with a code that workflow authors can handle. `message` is shown in the run's record and in the
 * Temporal UI, so it must not contain header values, query strings or keys.
 */
export class StepError extends Error {
  readonly code: string
  /** False if a retry cannot succeed. */
  readonly retryable: boolean
  /** Delay requested by the server. */
  readonly retryAfterMs?: number
  /** A request was sent, but its outcome is unknown. */
  readonly mayHaveArrived: boolean

  constructor(
    code: string,
    message: string,
    options: { retryable: boolean; retryAfterMs?: number; mayHaveArrived?: boolean; cause?: unknown } = {
      retryable: false,
    },
  ) {
    super(message, { cause: options.cause })
    this.name = 'StepError'
    this.code = code
    this.retryable = options.retryable
    this.retryAfterMs = options.retryAfterMs
    this.mayHaveArrived = options.mayHaveArrived ?? false
  }
}
