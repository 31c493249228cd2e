/**
 * Why a step failed, under a code that a pathway's author can act on. `message` ends up in the run's record and in the
 * Temporal UI, so it holds no header values, no query strings and no keys.
 */
export class StepError extends Error {
  readonly code: string
  /** False where doing the same again can't mend it. */
  readonly retryable: boolean
  /** The other side asked to be left alone for this long. */
  readonly retryAfterMs?: number

  constructor(
    code: string,
    message: string,
    options: { retryable: boolean; retryAfterMs?: number; cause?: unknown } = { retryable: false },
  ) {
    super(message, { cause: options.cause })
    this.name = 'StepError'
    this.code = code
    this.retryable = options.retryable
    this.retryAfterMs = options.retryAfterMs
  }
}
