import type { WorkflowExecutionDescription } from '@temporalio/client'
import { defineSearchAttributeKey } from '@temporalio/common'
import { tsToMs } from '@temporalio/common/lib/time.js'
import proto from '@temporalio/proto'
import { Unavailable } from '../../../domain/shared/errors.ts'
import type { Temporal } from '../../shared/temporal.ts'
import type { JobProblem } from '../../../contract/runs/job.ts'

const { WorkflowTaskFailedCause, TimeoutType } = proto.temporal.api.enums.v1
const CAUSE_PREFIX = 'WORKFLOW_TASK_FAILED_CAUSE_'
const FAILED = 'WORKFLOW_TASK_FAILED'
const TIMED_OUT = 'WORKFLOW_TASK_TIMED_OUT'

/** Set by Temporal itself once a run's workflow task has failed often enough in a row. */
const REPORTED_PROBLEMS = defineSearchAttributeKey('TemporalReportedProblems', 'KEYWORD_LIST')

/** A single failure, such as a restart of the worker, has a successful second attempt. */
const MIN_ATTEMPTS = 3
const MAX_SECOND_ATTEMPT_MS = 5_000
const MAX_EVENTS = 20
const MAX_MESSAGE_CHARS = 500

type WorkflowDescription = Pick<WorkflowExecutionDescription, 'raw' | 'typedSearchAttributes'>

/** True when the workflow task of an open run fails repeatedly, according to its description. */
export function isStuck({ raw, typedSearchAttributes }: WorkflowDescription): boolean {
  const { attempt, scheduledTime } = raw.pendingWorkflowTask ?? {}
  if ((attempt ?? 1) >= MIN_ATTEMPTS || typedSearchAttributes.get(REPORTED_PROBLEMS)) return true
  return attempt === 2 && Date.now() - tsToMs(scheduledTime) > MAX_SECOND_ATTEMPT_MS
}

/** Reads from the history why a stuck run makes no progress. */
export async function readProblem(temporal: Temporal, description: WorkflowExecutionDescription): Promise<JobProblem> {
  const { scheduledTime } = description.raw.pendingWorkflowTask ?? {}
  const events = await readHistoryTail(temporal, description, MAX_EVENTS).catch(noneIfAway)
  return describeProblem(events, scheduledTime ? tsToMs(scheduledTime) : description.startTime.getTime())
}

/** True when the worker reported a failure. A task that only timed out may end in time when the machine is less busy. */
export const isReported = ({ cause, message }: JobProblem): boolean =>
  cause !== TIMED_OUT && message !== UNKNOWN.message

/** True when the worker did not finish the workflow task in time, and reported nothing. */
export const hasTimedOut = ({ cause }: JobProblem): boolean => cause === TIMED_OUT

/** True when the SDK stopped the workflow code at its time limit. */
export const isTooLong = ({ message }: JobProblem): boolean => message.startsWith('Script execution timed out')

/**
 * The last failure since the last completed workflow task. Temporal writes only the first failure of a series to the
 * history, and begins a new series when an event reaches the run.
 * @param events newest first
 * @param since in milliseconds, used when the events contain no failure
 */
export function describeProblem(events: HistoryEvent[], since: number): JobProblem {
  const failures = sinceProgress(events).filter(isFailure)
  const [last] = failures
  const first = failures.at(-1)
  const at = first ? tsToMs(first.eventTime) : since
  return { ...(last ? describeReason(last) : UNKNOWN), since: new Date(at).toISOString() }
}

/** The status is available without the history. */
function noneIfAway(error: unknown): HistoryEvent[] {
  if (error instanceof Unavailable) return []
  throw error
}

function sinceProgress(events: HistoryEvent[]): HistoryEvent[] {
  const completed = events.findIndex(event => event.workflowTaskCompletedEventAttributes)
  return completed < 0 ? events : events.slice(0, completed)
}

const UNKNOWN = { cause: FAILED, message: 'the workflow task fails repeatedly' }

/** A task that timed out before a worker started it has not failed. */
const isFailure = ({
  workflowTaskFailedEventAttributes,
  workflowTaskTimedOutEventAttributes,
}: HistoryEvent): boolean =>
  workflowTaskFailedEventAttributes
    ? true
    : workflowTaskTimedOutEventAttributes?.timeoutType === TimeoutType.TIMEOUT_TYPE_START_TO_CLOSE

function describeReason({ workflowTaskFailedEventAttributes }: HistoryEvent): Omit<JobProblem, 'since'> {
  if (!workflowTaskFailedEventAttributes)
    return { cause: TIMED_OUT, message: 'the worker did not finish the workflow task in time' }
  const { cause, failure } = workflowTaskFailedEventAttributes
  const name = WorkflowTaskFailedCause[cause ?? 0] ?? ''
  const causeName = name.startsWith(CAUSE_PREFIX) && cause ? name.slice(CAUSE_PREFIX.length) : FAILED
  return { cause: causeName, message: (failure?.message || UNKNOWN.message).slice(0, MAX_MESSAGE_CHARS) }
}

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
