import { ApplicationFailure, CancelledFailure, getExternalWorkflowHandle, workflowInfo } from '@temporalio/workflow'
import type { FinishInput } from '../../../activities/types.ts'
import { FIRED_BY, runEndedSignal } from '../../triggers/scheduled-firing-messages.ts'

/** Throws the failure of a run that did not complete. The failure type is the error code. */
export function throwUnlessCompleted({ outcome, error }: Pick<FinishInput, 'outcome' | 'error'>): void {
  if (outcome === 'completed') return
  if (outcome === 'cancelled') throw new CancelledFailure('cancelled')
  throw ApplicationFailure.nonRetryable(error?.message, error?.code)
}

/** Notifies the workflow that waits for this run, so that the schedule continues before its next poll. */
export async function notifyFiring(): Promise<void> {
  const waiting = workflowInfo().memo?.[FIRED_BY]
  if (typeof waiting !== 'string') return
  await getExternalWorkflowHandle(waiting)
    .signal(runEndedSignal)
    .catch(() => undefined)
}
