import { getExternalWorkflowHandle, workflowInfo } from '@temporalio/workflow'
import { FIRED_BY, runEndedSignal } from '../scheduled-firing/messages.ts'

/** Tells the workflow that waits for this run that it has ended, so that the schedule goes on before its next poll. */
export async function notifyFiring(): Promise<void> {
  const waiting = workflowInfo().memo?.[FIRED_BY]
  if (typeof waiting !== 'string') return
  await getExternalWorkflowHandle(waiting)
    .signal(runEndedSignal)
    .catch(() => undefined)
}
