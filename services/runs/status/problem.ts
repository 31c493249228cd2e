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

/** Set by Temporal after several consecutive failures of a run's workflow task. */
const REPORTED_PROBLEMS = defineSearchAttributeKey('TemporalReportedProblems', 'KEYWORD_LIST')

/** After a single failure, such as a worker restart, the second attempt usually succeeds. */
const MIN_ATTEMPTS = 3
const MAX_SECOND_ATTEMPT_MS = 5_000
const MAX_EVENTS = 20
const MAX_MESSAGE_CHARS = 500

type WorkflowDescription = Pick<WorkflowExecutionDescription, 'raw' | 'typedSearchAttributes'>

/** Returns true if the description shows that an open run's workflow task fails repeatedly. */
export function isStuck({ raw, typedSearchAttributes }: WorkflowDescription): boolean {
  const { attempt, scheduledTime } = raw.pendingWorkflowTask ?? {}
  if ((attempt ?? 1) >= MIN_ATTEMPTS || typedSearchAttributes.get(REPORTED_PROBLEMS)) return true
  return attempt === 2 && Date.now() - tsToMs(scheduledTime) > MAX_SECOND_ATTEMPT_MS
}

/** Reads the reason why a run is stuck from its history. */
export async function readProblem(temporal: Temporal, description: WorkflowExecutionDescription): Promise<JobProblem> {
  const { scheduledTime } = description.raw.pendingWorkflowTask ?? {}
  const events = await readHistoryTail(temporal, description, MAX_EVENTS).catch(noneIfAway)
  return describeProblem(events, scheduledTime ? tsToMs(scheduledTime) : description.startTime.getTime())
}

/**
 * Returns true if the worker reported a failure. A task that only timed out may succeed when the machine is less
 * busy.
 */
export const isReported = ({ cause, message }: JobProblem): boolean =>
  cause !== TIMED_OUT && message !== UNKNOWN.message

/** Returns true if the worker did not finish the workflow task in time and reported nothing. */
export const hasTimedOut = ({ cause }: JobProblem): boolean => cause === TIMED_OUT

/** Returns true if the SDK stopped the workflow code at its time limit. */
export const isTooLong = ({ message }: JobProblem): boolean => message.startsWith('Script execution timed out')

/**
 * Describes the last failure since the last completed workflow task. Temporal records only the first failure in a
 * series, and starts a new series when the run receives an event.
 * @param events newest first
 * @param since time in milliseconds to use if the events contain no failure
 */
export function describeProblem(events: HistoryEvent[], since: number): JobProblem {
  const failures = sinceProgress(events).filter(isFailure)
  const [last] = failures
  const first = failures.at(-1)
  const at = first ? tsToMs(first.eventTime) : since
  return { ...(last ? describeReason(last) : UNKNOWN), since: new Date(at).toISOString() }
}

/** The status can be reported even without the history. */
function noneIfAway(error: unknown): HistoryEvent[] {
  if (error instanceof Unavailable) return []
  throw error
}

function sinceProgress(events: HistoryEvent[]): HistoryEvent[] {
  const completed = events.findIndex(event => event.workflowTaskCompletedEventAttributes)
  return completed < 0 ? events : events.slice(0, completed)
}

const UNKNOWN = { cause: FAILED, message: 'the workflow task fails repeatedly' }

/** A task that timed out before a worker started it does not count as failed. */
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

/** Reads a run's last events, newest first. Throws Unavailable. */
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
