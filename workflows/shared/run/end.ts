import { ApplicationFailure, CancelledFailure, getExternalWorkflowHandle, workflowInfo } from '@temporalio/workflow'
import type { FinishInput } from '../../../activities/types.ts'
import { FIRED_BY, runEndedSignal } from '../../triggers/scheduled-firing-messages.ts'

/** Throws the failure of a run that has not completed; its type is the error code. */
export function throwUnlessCompleted({ outcome, error }: Pick<FinishInput, 'outcome' | 'error'>): void {
  if (outcome === 'completed') return
  if (outcome === 'cancelled') throw new CancelledFailure('cancelled')
  throw ApplicationFailure.nonRetryable(error?.message, error?.code)
}

/** Tells the workflow that waits for this run that it has ended, so that the schedule goes on before its next poll. */
export async function notifyFiring(): Promise<void> {
  const waiting = workflowInfo().memo?.[FIRED_BY]
  if (typeof waiting !== 'string') return
  await getExternalWorkflowHandle(waiting)
    .signal(runEndedSignal)
    .catch(() => undefined)
}
