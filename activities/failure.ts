import { ApplicationFailure } from '@temporalio/common'
import { AppError } from '../domain/errors.ts'
import { StepError } from './step-error.ts'

/**
 * A failure as Temporal takes it: the code as its type, and no retries where they can't mend it. What is not one of ours
 * says nothing of itself: its message could hold anything, and failures are shown to whoever may read the run.
 */
export function toFailure(error: unknown): ApplicationFailure {
  if (error instanceof ApplicationFailure) return error
  if (error instanceof StepError) {
    const { code, message, retryable, retryAfterMs } = error
    return ApplicationFailure.create({ type: code, message, nonRetryable: !retryable, nextRetryDelay: retryAfterMs })
  }
  if (error instanceof AppError) {
    const { code, message, status } = error
    return ApplicationFailure.create({ type: code, message, nonRetryable: status < 500 })
  }
  return ApplicationFailure.create({
    type: 'INTERNAL',
    message: 'Internal error; the worker log has the cause',
  })
}
