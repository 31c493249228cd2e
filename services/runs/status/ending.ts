import { type WorkflowExecutionDescription, WorkflowFailedError } from '@temporalio/client'
import type { JobSummary } from '../../../data/runs/jobs-store.ts'
import type { JobEnding } from '../../../data/runs/job-endings-store.ts'
import type { JsonValue } from '../../../domain/shared/json/json.ts'
import type { ChildResult } from '../../../domain/runs/run-records.ts'
import { describeFailure, TIMEOUT } from '../../../workflows/shared/failures.ts'
import type { Temporal } from '../../shared/temporal.ts'
import { readHistoryTail } from './problem.ts'
import { describeCancel, describeTermination, type Failure, NOT_IN_ORDER } from './terminations.ts'

const MAX_REASON_CHARS = 500
/** The identity in Temporal's event if the server closed the run because of a limit. */
const SERVER_IDENTITY = 'history-service'
/** Temporal's default reason. */
const NO_REASON = 'terminated by user via frontend'

/** For a run that did not write its own end, reads from Temporal how the run closed. */
export async function readEnding(
  temporal: Temporal,
  row: JobSummary,
  description: WorkflowExecutionDescription,
): Promise<JobEnding> {
  const finished_at = (description.closeTime ?? new Date()).toISOString()
  if (description.status.name === 'COMPLETED') {
    const result: unknown = await temporal.call(() => temporal.handle(row.job_id).result())
    const isChild = row.parent_job_id !== null
    return {
      status: 'completed',
      result: isChild ? (result as ChildResult).result : (result as JsonValue),
      finished_at,
    }
  }
  return { status: 'failed', ...(await readFailure(temporal, row, description)), finished_at }
}

function readFailure(
  temporal: Temporal,
  row: JobSummary,
  description: WorkflowExecutionDescription,
): Failure | Promise<Failure> {
  switch (description.status.name) {
    case 'CANCELLED':
      return { failed_reason: describeCancel(row), failed_code: 'CANCELLED' }
    case 'TERMINATED':
      return readTermination(temporal, row, description)
    case 'TIMED_OUT':
      return { failed_reason: `timed out in Temporal: ${NOT_IN_ORDER}`, failed_code: TIMEOUT }
    default:
      return readCause(temporal, row.job_id)
  }
}

async function readTermination(
  temporal: Temporal,
  row: JobSummary,
  description: WorkflowExecutionDescription,
): Promise<Failure> {
  const [last] = await readHistoryTail(temporal, description, 1)
  const { reason, identity } = last?.workflowExecutionTerminatedEventAttributes ?? {}
  const knownFailure = describeTermination(reason ?? '', row)
  if (knownFailure) return knownFailure
  const by = identity === SERVER_IDENTITY ? 'by Temporal' : 'in Temporal by an operator'
  const why = reason && reason !== NO_REASON ? ` (${reason.slice(0, MAX_REASON_CHARS)})` : ''
  return { failed_reason: `terminated ${by}${why}: ${NOT_IN_ORDER}`, failed_code: 'TERMINATED' }
}

async function readCause(temporal: Temporal, jobId: string): Promise<Failure> {
  try {
    await temporal.call(() => temporal.handle(jobId).result())
    return { failed_reason: 'failed', failed_code: 'FAILED' }
  } catch (error) {
    if (!(error instanceof WorkflowFailedError)) throw error
    const { error: cause } = describeFailure(error.cause)
    return { failed_reason: cause.message, failed_code: cause.code }
  }
}
