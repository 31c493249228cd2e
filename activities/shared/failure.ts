import { ApplicationFailure } from '@temporalio/common'
import { AppError } from '../../domain/shared/errors.ts'
import { MAY_HAVE_ARRIVED, StepError } from '../../domain/runs/step-error.ts'

/** The code for failures whose cause is only in the log. */
export const INTERNAL = 'INTERNAL'

/** Language errors, which are caused by code or data, so the same call would fail again. */
const FINAL = [TypeError, RangeError, ReferenceError, SyntaxError, URIError]

/**
 * Converts an error to a Temporal failure with the code as its type. Unknown errors become INTERNAL without their
 * message, because the message may contain secrets and everyone who may read the run sees its failures.
 */
export function toFailure(error: unknown): ApplicationFailure {
  if (error instanceof ApplicationFailure) return error
  if (error instanceof StepError) {
    const { code, message, retryable, retryAfterMs, mayHaveArrived } = error
    const details = mayHaveArrived ? [MAY_HAVE_ARRIVED] : undefined
    const nextRetryDelay = retryAfterMs
    return ApplicationFailure.create({ type: code, message, nonRetryable: !retryable, nextRetryDelay, details })
  }
  if (error instanceof AppError) {
    const { code, message, status } = error
    return ApplicationFailure.create({ type: code, message, nonRetryable: status < 500 })
  }
  return ApplicationFailure.create({
    type: INTERNAL,
    nonRetryable: FINAL.some(type => error instanceof type),
    message: 'Internal error; see the worker log for the cause',
  })
}
