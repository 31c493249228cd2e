import type { WorkflowExecutionDescription } from '@temporalio/client'
import { DefaultFailureConverter, defaultPayloadConverter } from '@temporalio/common'
import { tsToMs } from '@temporalio/common/lib/time.js'
import proto from '@temporalio/proto'
import type { NodeError } from '../../../domain/runs/nodes.ts'
import { describeFailure } from '../../../workflows/shared/failures.ts'

const { PendingActivityState } = proto.temporal.api.enums.v1
const converter = new DefaultFailureConverter()

/** The state of a node whose last attempt failed and that will be retried. */
export interface Retry {
  /** Number of the last started attempt, from 1. */
  attempt: number
  last_error: NodeError
  /** ISO 8601. Absent while an attempt is running. */
  next_attempt_at?: string
}

/** Returns an open run's retries, by node key, from Temporal's description of the run. */
export function readRetries({ raw }: Pick<WorkflowExecutionDescription, 'raw'>): Map<string, Retry> {
  const failed = (raw.pendingActivities ?? []).filter(({ lastFailure }) => lastFailure)
  return new Map(failed.map(activity => [parseNodeKey(activity.activityId ?? ''), describeRetry(activity)]))
}

/** An activity's id is its node key. A node's additional activities have the suffix `#2` and so on. */
export const parseNodeKey = (activityId: string): string => activityId.replace(/#\d+$/, '')

export type PendingActivityInfo = proto.temporal.api.workflow.v1.IPendingActivityInfo

/** Describes the pending retry of an activity whose last attempt failed. */
export function describeRetry({
  state,
  attempt,
  lastFailure,
  nextAttemptScheduleTime,
  scheduledTime,
}: PendingActivityInfo): Retry {
  const failure = converter.failureToError(lastFailure ?? {}, defaultPayloadConverter)
  const last_error = describeFailure(failure).error
  if (state !== PendingActivityState.PENDING_ACTIVITY_STATE_SCHEDULED) return { attempt: attempt ?? 1, last_error }
  const next = tsToMs(nextAttemptScheduleTime ?? scheduledTime)
  return { attempt: (attempt ?? 2) - 1, last_error, next_attempt_at: new Date(next).toISOString() }
}
