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

/** If Temporal still does not have a row's run after this time, the run was never started. */
const START_GRACE_MS = 60_000
/** The number of events in a run's history before its first workflow task is completed. */
const UNTOUCHED_EVENTS = 3

const NEVER_STARTED = { failed_reason: 'was never started', failed_code: 'NEVER_STARTED' }
const RECORD_GONE = { failed_reason: 'Temporal no longer has the outcome', failed_code: 'RECORD_GONE' }

/** The status of a job with an open row. */
interface StatusReading {
  status: JobStatus
  repaired?: JobEnding
  /** Reads the problem of a stuck run. Absent if the run is not stuck. */
  problem?: () => Promise<JobProblem>
  /** Time of the last manual reset in Temporal. */
  reset_at?: string
  /** Temporal's description of the open run. Absent if Temporal does not have the run. */
  run?: WorkflowExecutionDescription
  /** Reads the run's retries by node key. */
  retries?: () => Map<string, Retry>
}

export type StatusReader = (row: JobSummary) => Promise<StatusReading>

/** Reads an open run's status from Temporal. Repairs the row of a run that closed without writing its end. */
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
