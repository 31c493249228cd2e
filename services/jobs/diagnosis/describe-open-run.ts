import type { WorkflowExecutionDescription } from '@temporalio/client'
import { tsToMs } from '@temporalio/common/lib/time.js'
import proto from '@temporalio/proto'
import type { OpenRun, PendingActivity } from '../../../domain/diagnosis/facts.ts'
import { type PendingActivityInfo, toNodeKey, toRetry } from '../retries.ts'

const { PendingActivityState, PendingWorkflowTaskState, TimeoutType } = proto.temporal.api.enums.v1

type Raw = WorkflowExecutionDescription['raw']
type Failure = proto.temporal.api.failure.v1.IFailure
type Time = Parameters<typeof tsToMs>[0]

export type HistoryLimits = Pick<OpenRun['history'], 'max_events' | 'max_bytes'>

/**
 * The facts in the description of an open run.
 * @param startedAt the start of its nodes, by key
 */
export function toOpenRun(
  { raw, historyLength, historySize = 0 }: WorkflowExecutionDescription,
  startedAt: ReadonlyMap<string, string>,
  { max_events, max_bytes }: HistoryLimits,
): OpenRun {
  return {
    history: { events: historyLength, bytes: historySize, max_events, max_bytes },
    task: toTask(raw.pendingWorkflowTask),
    activities: (raw.pendingActivities ?? []).map(activity => toActivity(activity, startedAt)),
    child_count: raw.pendingChildren?.length ?? 0,
  }
}

function toTask(task: Raw['pendingWorkflowTask']): OpenRun['task'] {
  if (!task) return undefined
  const is_started = task.state === PendingWorkflowTaskState.PENDING_WORKFLOW_TASK_STATE_STARTED
  return { is_started, attempt: task.attempt ?? 1, since: toIso(task.originalScheduledTime ?? task.scheduledTime) }
}

function toActivity(activity: PendingActivityInfo, startedAt: ReadonlyMap<string, string>): PendingActivity {
  const { activityId, state, attempt, lastFailure, scheduledTime, lastWorkerIdentity } = activity
  const is_started = state !== PendingActivityState.PENDING_ACTIVITY_STATE_SCHEDULED
  const key = toNodeKey(activityId ?? '')
  return {
    key,
    is_started,
    attempt: Math.max(0, (attempt ?? 1) - (is_started ? 0 : 1)),
    since: startedAt.get(key) ?? toIso(activity.lastStartedTime ?? scheduledTime),
    ...(lastFailure && { ...toRetry(activity), is_heartbeat_lost: isHeartbeatLost(lastFailure) }),
    ...(lastWorkerIdentity && { worker: lastWorkerIdentity }),
  }
}

const isHeartbeatLost = ({ timeoutFailureInfo }: Failure): boolean =>
  timeoutFailureInfo?.timeoutType === TimeoutType.TIMEOUT_TYPE_HEARTBEAT

const toIso = (time: Time): string => new Date(time ? tsToMs(time) : Date.now()).toISOString()
