import { WorkflowFailedError, WorkflowNotFoundError } from '@temporalio/client'
import type { Database } from '../../data/database.ts'
import { type JobEnding, repairJob } from '../../data/jobs-store.ts'
import type { JobRecord, JobStatus } from '../../domain/jobs.ts'
import { isTerminal } from '../../domain/jobs.ts'
import type { JsonValue } from '../../domain/json.ts'
import { STATUS } from '../../workflows/attributes.ts'
import { describe } from '../../workflows/failures.ts'
import type { Temporal } from '../temporal.ts'

/** A row whose run Temporal does not know after this long was never started. */
const START_GRACE_MS = 60_000
/** Events of a run whose first workflow task is not done. */
const UNTOUCHED_EVENTS = 3

/** Runs that closed without the run itself writing the end: an operator's terminate, a lost worker's last words. */
const ENDED_BY_TEMPORAL: Record<string, { reason: string; code: string }> = {
  CANCELLED: { reason: 'cancelled by an operator', code: 'CANCELLED' },
  TERMINATED: { reason: 'terminated by an operator', code: 'TERMINATED' },
  TIMED_OUT: { reason: 'its time ran out', code: 'TIMEOUT' },
}

const NEVER_STARTED = { failed_reason: 'it was never started', failed_code: 'NEVER_STARTED' }
const RECORD_GONE = { failed_reason: 'Temporal no longer knows how it ended', failed_code: 'RECORD_GONE' }

/**
 * The status Temporal gives, which is the authority while a run is open. When the run has closed and the row does not
 * know, the row is repaired and given as it is then.
 */
export function createStatusReader({ db, temporal }: { db: Database; temporal: Temporal }) {
  return async (row: JobRecord): Promise<{ status: JobStatus; repaired?: JobEnding }> => {
    if (isTerminal(row.status)) return { status: row.status }
    const ending = await endingOf(temporal, row)
    if (typeof ending === 'string') return { status: ending }
    await db.inWorkspace(row.workspace_id, tx => repairJob(tx, row.job_id, ending))
    return { status: ending.status, repaired: ending }
  }
}

async function endingOf(temporal: Temporal, row: JobRecord): Promise<JobStatus | JobEnding> {
  const now = new Date().toISOString()
  try {
    const found = await temporal.call(() => temporal.handle(row.job_id).describe())
    const finished_at = (found.closeTime ?? new Date()).toISOString()
    if (found.status.name === 'RUNNING') {
      if (row.status === 'pending' && found.historyLength <= UNTOUCHED_EVENTS) return 'pending'
      return openStatus(found.typedSearchAttributes.get(STATUS))
    }
    if (found.status.name === 'COMPLETED') {
      const result = (await temporal.call(() => temporal.handle(row.job_id).result())) as JsonValue
      return { status: 'completed', result, finished_at }
    }
    const known = ENDED_BY_TEMPORAL[found.status.name]
    if (known)
      return { status: 'failed', failed_reason: reasonOf(row, known.reason), failed_code: known.code, finished_at }
    return { status: 'failed', ...(await failureOf(temporal, row.job_id)), finished_at }
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error
    if (Date.now() - Date.parse(row.created_at) < START_GRACE_MS) return row.status
    if (row.status === 'pending') return { status: 'failed', ...NEVER_STARTED, finished_at: now }
    return { status: 'failed', ...RECORD_GONE, finished_at: now }
  }
}

const openStatus = (value: string | undefined): JobStatus =>
  value === 'waiting' || value === 'paused' || value === 'pending' ? value : 'running'

const reasonOf = ({ cancelled_by }: JobRecord, otherwise: string): string =>
  cancelled_by ? `cancelled by ${cancelled_by}` : otherwise

async function failureOf(temporal: Temporal, jobId: string): Promise<{ failed_reason: string; failed_code: string }> {
  try {
    await temporal.call(() => temporal.handle(jobId).result())
    return { failed_reason: 'failed', failed_code: 'FAILED' }
  } catch (error) {
    if (!(error instanceof WorkflowFailedError)) throw error
    const { error: cause } = describe(error.cause)
    return { failed_reason: cause.message, failed_code: cause.code }
  }
}
