import type { WorkflowExecutionDescription } from '@temporalio/client'
import type proto from '@temporalio/proto'
import type { Temporal } from '../temporal.ts'

export type HistoryEvent = proto.temporal.api.history.v1.IHistoryEvent

/** The last events of a run, newest first. Throws Unavailable. */
export async function readHistoryTail(
  temporal: Temporal,
  { workflowId, runId }: Pick<WorkflowExecutionDescription, 'workflowId' | 'runId'>,
  maximumPageSize: number,
): Promise<HistoryEvent[]> {
  const execution = { workflowId, runId }
  const { history } = await temporal.call(({ workflowService, options: { namespace } }) =>
    workflowService.getWorkflowExecutionHistoryReverse({ namespace, execution, maximumPageSize }),
  )
  return history?.events ?? []
}
