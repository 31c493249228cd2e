import { ApplicationFailure, CancelledFailure } from '@temporalio/workflow'
import type { FinishInput } from '../../activities/types.ts'

/** Ends the workflow as its run has ended, where that is not well: the code of what went wrong is the failure's type. */
export function requireCompleted({ outcome, error }: Pick<FinishInput, 'outcome' | 'error'>): void {
  if (outcome === 'completed') return
  if (outcome === 'cancelled') throw new CancelledFailure('cancelled')
  throw ApplicationFailure.nonRetryable(error?.message, error?.code)
}
