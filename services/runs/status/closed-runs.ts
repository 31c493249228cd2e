import { Unavailable } from '../../../domain/shared/errors.ts'
import { isTerminal } from '../../../domain/runs/jobs.ts'
import type { JobSummary } from '../../../data/runs/jobs-store.ts'
import type { Temporal } from '../../shared/temporal.ts'
import type { StatusReader } from './status.ts'

/** Delay until Temporal lists a newly started run, in milliseconds. */
const LISTED_AFTER_MS = 2_000
const LIST_TIMEOUT_MS = 1_000

/**
 * Compares open rows with Temporal's runs in one visibility query, and repairs the rows of closed runs. Returns true
 * if any rows were repaired. If Temporal is unavailable, rows are unchanged.
 */
export async function repairClosed(temporal: Temporal, readStatus: StatusReader, rows: JobSummary[]): Promise<boolean> {
  const open = rows.filter(row => !isTerminal(row.status) && Date.now() - Date.parse(row.created_at) > LISTED_AFTER_MS)
  if (open.length === 0) return false
  try {
    const running = await listRunning(temporal, open)
    const readings = await Promise.all(open.filter(({ job_id }) => !running.has(job_id)).map(readStatus))
    return readings.some(({ status }) => isTerminal(status))
  } catch (error) {
    if (error instanceof Unavailable) return false
    throw error
  }
}

/** Returns the ids of jobs with open runs. */
async function listRunning(temporal: Temporal, rows: JobSummary[]): Promise<Set<string>> {
  const ids = rows.map(({ job_id }) => JSON.stringify(job_id)).join(', ')
  const query = `ExecutionStatus = 'Running' AND WorkflowId IN (${ids})`
  const { executions } = await temporal.call(
    ({ workflowService, options: { namespace } }) =>
      workflowService.listWorkflowExecutions({ namespace, query, pageSize: rows.length }),
    LIST_TIMEOUT_MS,
  )
  return new Set(executions.map(({ execution }) => execution?.workflowId ?? ''))
}
