import type { Client } from '@temporalio/client'
import proto from '@temporalio/proto'

const { WorkflowTaskFailedCause: Cause } = proto.temporal.api.enums.v1
/** The server's own ways of beginning a task anew: something new has happened, or very much at once. */
const HARMLESS = new Set([
  Cause.WORKFLOW_TASK_FAILED_CAUSE_UNHANDLED_COMMAND,
  Cause.WORKFLOW_TASK_FAILED_CAUSE_FORCE_CLOSE_COMMAND,
])

/** Why workflow tasks of a run failed or timed out, in words. */
export async function findTaskFailures(client: Client, jobId: string): Promise<string[]> {
  const { events } = await client.workflow.getHandle(jobId).fetchHistory()
  return (events ?? []).flatMap(
    ({ workflowTaskFailedEventAttributes: failed, workflowTaskTimedOutEventAttributes: late }) => {
      if (late) return ['a workflow task timed out']
      if (!failed || (failed.cause && HARMLESS.has(failed.cause))) return []
      return [`a workflow task failed: ${failed.failure?.message} ${failed.failure?.stackTrace}`]
    },
  )
}
