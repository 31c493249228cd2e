import { Client, Connection } from '@temporalio/client'
import proto from '@temporalio/proto'
import { readEnvironment } from '../../../config/environment.ts'
import { findTaskFailures } from './workflow-tasks.ts'

const { PendingActivityState, PendingWorkflowTaskState } = proto.temporal.api.enums.v1

/**
 * Returns Temporal's data about a run that makes no progress: its pending activities with their last failures, its
 * pending children, its workflow task, and its failed workflow tasks. Used in the message of a failed wait.
 */
export const describeRun = (jobId: string): Promise<string> =>
  withTemporal(async client => {
    const { status, raw, historyLength } = await client.workflow.getHandle(jobId).describe()
    const activities = raw.pendingActivities?.map(
      ({ activityType, state, attempt, lastFailure, lastWorkerIdentity }) => ({
        activity: activityType?.name,
        state: state && PendingActivityState[state],
        attempt,
        lastFailure: lastFailure?.cause?.message ?? lastFailure?.message,
        lastWorkerIdentity,
      }),
    )
    const task = raw.pendingWorkflowTask
    return JSON.stringify({
      status: status.name,
      historyLength,
      activities,
      children: raw.pendingChildren?.map(({ workflowId }) => workflowId),
      workflowTask: task && { state: task.state && PendingWorkflowTaskState[task.state], attempt: task.attempt },
      failures: await findTaskFailures(client, jobId),
    })
  }).catch((error: unknown) => `Temporal does not describe it: ${String(error)}`)

/** Returns the history of a run. */
export const fetchEvents = (jobId: string): Promise<proto.temporal.api.history.v1.IHistoryEvent[]> =>
  withTemporal(async client => (await client.workflow.getHandle(jobId).fetchHistory()).events ?? [])

export async function withTemporal<T>(use: (client: Client) => Promise<T>): Promise<T> {
  const { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace } = readEnvironment()
  const connection = await Connection.connect({ address })
  try {
    return await use(new Client({ connection, namespace }))
  } finally {
    await connection.close()
  }
}
