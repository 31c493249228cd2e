import { msToTs } from '@temporalio/common/lib/time.js'
import { defineSearchAttributeKey, TypedSearchAttributes } from '@temporalio/common'
import proto from '@temporalio/proto'
import { type HistoryEvent, isStuck, describeProblem } from '../../../services/runs/status/problem.ts'

const { WorkflowTaskFailedCause, TimeoutType } = proto.temporal.api.enums.v1
const START = Date.parse('2026-01-02T03:04:05.000Z')
const at = (seconds: number) => msToTs(START + seconds * 1_000)
const iso = (seconds: number) => new Date(START + seconds * 1_000).toISOString()

describe('a run is stuck', () => {
  const reported = defineSearchAttributeKey('TemporalReportedProblems', 'KEYWORD_LIST')
  const described = (attempt: number | undefined, secondsAgo = 0, problems: string[] = []) => ({
    raw: {
      pendingWorkflowTask: attempt && { attempt, scheduledTime: msToTs(Date.now() - secondsAgo * 1_000) },
    } as never,
    typedSearchAttributes: new TypedSearchAttributes(problems.length > 0 ? [{ key: reported, value: problems }] : []),
  })

  test.each([
    ['with no workflow task', described(undefined), false],
    ['at the first attempt, however long it takes', described(1, 60), false],
    ['at a second attempt that has just started', described(2, 1), false],
    ['at a second attempt that takes long', described(2, 8), true],
    ['at the third attempt', described(3), true],
    ['when Temporal has reported problems', described(1, 0, ['category=WorkflowTaskFailed']), true],
  ])('%s: %#', (_, found, expected) => {
    expect(isStuck(found)).toBe(expected)
  })
})

describe('the problem of a run', () => {
  const failed = (
    seconds: number,
    message: string,
    cause?: proto.temporal.api.enums.v1.WorkflowTaskFailedCause,
  ): HistoryEvent => ({
    eventTime: at(seconds),
    workflowTaskFailedEventAttributes: { cause, failure: { message } },
  })
  const timedOut = (seconds: number, timeoutType: proto.temporal.api.enums.v1.TimeoutType): HistoryEvent => ({
    eventTime: at(seconds),
    workflowTaskTimedOutEventAttributes: { timeoutType },
  })
  const completed: HistoryEvent = { eventTime: at(0), workflowTaskCompletedEventAttributes: {} }
  const signaled: HistoryEvent = { eventTime: at(9), workflowExecutionSignaledEventAttributes: {} }
  const OTHER = WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_NON_DETERMINISTIC_ERROR

  test('is the last failure, with the time of the first failure since the run last made progress', () => {
    const events = [signaled, failed(8, 'second', OTHER), signaled, failed(5, 'first'), completed, failed(-9, 'old')]
    expect(describeProblem(events, 0)).toEqual({ cause: 'NON_DETERMINISTIC_ERROR', message: 'second', since: iso(5) })
  })

  test('has a separate code if Temporal reports no cause, and a message of limited length', () => {
    const problem = describeProblem([failed(1, 'x'.repeat(5_000))], 0)
    expect(problem).toEqual({ cause: 'WORKFLOW_TASK_FAILED', message: 'x'.repeat(500), since: iso(1) })
  })

  test('can be a task that timed out', () => {
    const problem = describeProblem([timedOut(1, TimeoutType.TIMEOUT_TYPE_START_TO_CLOSE), completed], 0)
    expect(problem).toMatchObject({ cause: 'WORKFLOW_TASK_TIMED_OUT', since: iso(1) })
  })

  test('excludes a task that a lost worker left to another worker', () => {
    const events = [timedOut(3, TimeoutType.TIMEOUT_TYPE_SCHEDULE_TO_START), failed(1, 'broken'), completed]
    expect(describeProblem(events, 0)).toMatchObject({ message: 'broken', since: iso(1) })
  })

  test('has a generic message if the last events do not contain the reason', () => {
    const problem = describeProblem([signaled], START)
    expect(problem).toEqual({
      cause: 'WORKFLOW_TASK_FAILED',
      message: 'the workflow task fails repeatedly',
      since: iso(0),
    })
  })
})
