import type { Client } from '@temporalio/client'
import proto from '@temporalio/proto'

const { WorkflowTaskFailedCause: Cause } = proto.temporal.api.enums.v1
/** Harmless causes of a retried task: an event arrived in the meantime, or the task has too many commands. */
const HARMLESS = new Set([
  Cause.WORKFLOW_TASK_FAILED_CAUSE_UNHANDLED_COMMAND,
  Cause.WORKFLOW_TASK_FAILED_CAUSE_FORCE_CLOSE_COMMAND,
])

/**
 * Returns the failed workflow tasks of a run. A task that times out on a busy machine is retried and is not a
 * failure.
 */
export async function findTaskFailures(client: Client, jobId: string): Promise<string[]> {
  const { events } = await client.workflow.getHandle(jobId).fetchHistory()
  return (events ?? []).flatMap(({ workflowTaskFailedEventAttributes: failed }) =>
    !failed || (failed.cause && HARMLESS.has(failed.cause))
      ? []
      : [`a workflow task failed: ${failed.failure?.message} ${failed.failure?.stackTrace}`],
  )
}
