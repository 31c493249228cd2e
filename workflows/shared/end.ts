import { ApplicationFailure, CancelledFailure } from '@temporalio/workflow'
import type { FinishInput } from '../../activities/types.ts'

/** Throws the failure of a run that has not completed; its type is the error code. */
export function throwUnlessCompleted({ outcome, error }: Pick<FinishInput, 'outcome' | 'error'>): void {
  if (outcome === 'completed') return
  if (outcome === 'cancelled') throw new CancelledFailure('cancelled')
  throw ApplicationFailure.nonRetryable(error?.message, error?.code)
}
