import type { WorkflowExecutionDescription } from '@temporalio/client'
import { DefaultFailureConverter, defaultPayloadConverter } from '@temporalio/common'
import { tsToMs } from '@temporalio/common/lib/time.js'
import proto from '@temporalio/proto'
import type { NodeError } from '../../../domain/runs/nodes.ts'
import { describeFailure } from '../../../workflows/shared/failures.ts'

const { PendingActivityState } = proto.temporal.api.enums.v1
const converter = new DefaultFailureConverter()

/** What is known of a node whose last attempt failed and that is tried again. */
export interface Retry {
  /** Number of the last attempt that began, from 1. */
  attempt: number
  last_error: NodeError
  /** ISO 8601. Absent while an attempt runs. */
  next_attempt_at?: string
}

/** Returns the retries of an open run by node key, as Temporal describes them. */
export function readRetries({ raw }: Pick<WorkflowExecutionDescription, 'raw'>): Map<string, Retry> {
  const failed = (raw.pendingActivities ?? []).filter(({ lastFailure }) => lastFailure)
  return new Map(failed.map(activity => [parseNodeKey(activity.activityId ?? ''), describeRetry(activity)]))
}

/** An activity has the key of its node as id; those of further activities of a node end in `#2` and so on. */
export const parseNodeKey = (activityId: string): string => activityId.replace(/#\d+$/, '')

export type PendingActivityInfo = proto.temporal.api.workflow.v1.IPendingActivityInfo

/** Returns what is known of an activity whose last attempt failed. */
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
