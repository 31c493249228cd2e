import { type WorkflowExecutionDescription, WorkflowNotFoundError } from '@temporalio/client'
import { tsToMs } from '@temporalio/common/lib/time.js'
import type { Database } from '../../../data/shared/database.ts'
import type { JobSummary } from '../../../data/runs/jobs-store.ts'
import { type JobEnding, repairJob } from '../../../data/runs/job-endings-store.ts'
import { type JobStatus, isTerminal } from '../../../domain/runs/jobs.ts'
import { STATUS } from '../../../workflows/shared/run/attributes.ts'
import type { Temporal } from '../../shared/temporal.ts'
import { readEnding } from './ending.ts'
import { isStuck, readProblem } from './problem.ts'
import { readRetries, type Retry } from './retries.ts'
import type { JobProblem } from '../../../contract/runs/job.ts'

/** A row whose run Temporal does not know after this long was never started. */
const START_GRACE_MS = 60_000
/** Events of a run whose first workflow task is not done. */
const UNTOUCHED_EVENTS = 3

const NEVER_STARTED = { failed_reason: 'was never started', failed_code: 'NEVER_STARTED' }
const RECORD_GONE = { failed_reason: 'the outcome is no longer known in Temporal', failed_code: 'RECORD_GONE' }

/** The status of a job whose row says that it is open. */
interface StatusReading {
  status: JobStatus
  repaired?: JobEnding
  /** Set when the run is stuck: reads the problem. */
  problem?: () => Promise<JobProblem>
  /** When somebody last reset the run in Temporal. */
  reset_at?: string
  /** The open run, as Temporal describes it. Absent when Temporal does not have it. */
  run?: WorkflowExecutionDescription
  /** Reads the retries of the run, by node key. */
  retries?: () => Map<string, Retry>
}

export type StatusReader = (row: JobSummary) => Promise<StatusReading>

/** Reads the status of an open run from Temporal. Repairs the row of a run that has closed without writing its end. */
export function createStatusReader({ db, temporal }: { db: Database; temporal: Temporal }): StatusReader {
  return async row => {
    if (isTerminal(row.status)) return { status: row.status }
    const outcome = await describeRun(temporal, row)
    if (!('finished_at' in outcome)) return outcome
    await db.inWorkspace(row.workspace_id, tx => repairJob(tx, row.job_id, outcome))
    return { status: outcome.status, repaired: outcome }
  }
}

async function describeRun(temporal: Temporal, row: JobSummary): Promise<StatusReading | JobEnding> {
  try {
    const description = await temporal.call(() => temporal.handle(row.job_id).describe())
    return description.status.name === 'RUNNING'
      ? openStatus(temporal, row, description)
      : await readEnding(temporal, row, description)
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error
    if (Date.now() - Date.parse(row.created_at) < START_GRACE_MS) return { status: row.status }
    const why = row.status === 'pending' ? NEVER_STARTED : RECORD_GONE
    return { status: 'failed', ...why, finished_at: new Date().toISOString() }
  }
}

function openStatus(temporal: Temporal, row: JobSummary, run: WorkflowExecutionDescription): StatusReading {
  if (row.status === 'pending' && run.historyLength <= UNTOUCHED_EVENTS) return { status: 'pending', run }
  const value = run.typedSearchAttributes.get(STATUS)
  const status = value === 'waiting' || value === 'paused' || value === 'pending' ? value : 'running'
  const { lastResetTime } = run.raw.workflowExtendedInfo ?? {}
  const reading: StatusReading = {
    status,
    run,
    retries: () => readRetries(run),
    ...(lastResetTime && { reset_at: new Date(tsToMs(lastResetTime)).toISOString() }),
  }
  return isStuck(run) ? { ...reading, problem: () => readProblem(temporal, run) } : reading
}
