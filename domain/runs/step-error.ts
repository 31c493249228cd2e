/** The detail of a failure after which a call may have had its effect all the same. */
export const MAY_HAVE_ARRIVED = 'may_have_arrived'

/**
 * A failed step, with a code that a pathway's author can handle. `message` is shown in the run's record and in the Temporal
 * UI, so it must not hold header values, query strings or keys.
 */
export class StepError extends Error {
  readonly code: string
  /** False when a retry cannot succeed. */
  readonly retryable: boolean
  /** The delay that the server requests. */
  readonly retryAfterMs?: number
  /** A request was sent, and what became of it is unknown. */
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
