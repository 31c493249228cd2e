import type { Receipt } from '../../domain/runs/nodes.ts'
import type { JsonValue } from '../../domain/shared/json/json.ts'
import { toStorableJson, toStorableText } from '../../domain/shared/json/storable.ts'
import type { Tx } from '../shared/database.ts'
import { toJsonOrNull } from '../shared/json-text.ts'
import { execute, select, selectOne } from '../shared/statements.ts'
import { boolean, list, pick, type Row } from '../shared/table.ts'
import { cancelOpenNodes } from './job-nodes-store.ts'
import { jobsTable } from './tables.ts'

/** The end of a job, as reported by the run or by Temporal. */
export interface JobEnding {
  status: 'completed' | 'failed'
  result?: JsonValue
  failed_reason?: string | null
  failed_code?: string | null
  /**
   * The key of the failed node, which becomes the current step. Without it, the current step stays the same. Absent
   * for a completed job.
   */
  failed_node_key?: string
  receipt?: Receipt | null
  finished_at: string
}

const ENDED = pick(jobsTable, 'job_id', 'status', 'result', 'failed_reason', 'failed_code', 'receipt', 'finished_at')
export type EndedJob = Row<typeof ENDED>

/**
 * Records the end of a job and closes its open interventions. Has no effect on an ended job. With `cancelled`, the
 * end reason names the actor that cancelled the job or its root job.
 */
export async function endJob(tx: Tx, jobId: string, ending: JobEnding & { cancelled?: boolean }): Promise<void> {
  await execute(
    tx,
    `with ended as (
       update jobs
          set status = $2,
              result = $3,
              failed_reason = coalesce(
                case when $8 then 'cancelled by ' || coalesce(cancelled_by, (select root.cancelled_by from jobs root
                                                                             where root.job_id = jobs.root_job_id)) end,
                $4),
              failed_code = $5,
              receipt = coalesce($6, receipt),
              failed_node_key = $9,
              current_step = case when $2 = 'completed' then null else coalesce($9, current_step) end,
              finished_at = greatest($7, processed_at, created_at),
              processed_at = coalesce(processed_at, greatest($7, created_at))
        where job_id = $1 and status not in ('completed', 'failed')
    returning job_id
     )
     update interventions set status = 'cancelled', closed_at = $7
       from ended where interventions.job_id = ended.job_id and interventions.status = 'open'`,
    [
      jobId,
      ending.status,
      toJsonOrNull(ending.result),
      ending.failed_reason ? toStorableText(ending.failed_reason) : null,
      ending.failed_code ?? null,
      ending.receipt ? toStorableJson(ending.receipt) : null,
      ending.finished_at,
      ending.cancelled ?? false,
      ending.failed_node_key === undefined ? null : toStorableText(ending.failed_node_key),
    ],
  )
}

/** Locks a job and returns whether it has ended. Returns undefined when the job does not exist. */
export async function lockEndedJob(tx: Tx, jobId: string): Promise<boolean | undefined> {
  const job = await selectOne(
    tx,
    { ended: boolean() },
    `select status in ('completed', 'failed') as ended from jobs where job_id = $1 for no key update`,
    [jobId],
  )
  return job?.ended
}

/**
 * Ends an open job with the outcome that Temporal reports. The open nodes of a failed run are cancelled and listed in
 * its receipt.
 */
export async function repairJob(tx: Tx, jobId: string, ending: JobEnding): Promise<void> {
  // Lock the job before its nodes, in the same order as other writers.
  if ((await lockEndedJob(tx, jobId)) !== false) return
  const receipt = ending.status === 'failed' ? await cancelOpenNodes(tx, jobId, ending.finished_at) : []
  await endJob(tx, jobId, { ...ending, receipt: receipt.length > 0 ? receipt : null })
}

/** Stores the actor that cancelled an open job, for use in the end reason. The first actor is kept. */
export async function setCancelledBy(tx: Tx, jobId: string, actor: string): Promise<void> {
  await execute(
    tx,
    `update jobs set cancelled_by = coalesce(cancelled_by, $2)
      where job_id = $1 and status not in ('completed', 'failed')`,
    [jobId, actor],
  )
}

/** Returns those of the given jobs that have ended, in one statement. */
export async function findEnded(tx: Tx, jobIds: string[]): Promise<EndedJob[]> {
  return select(
    tx,
    ENDED,
    `select ${list(ENDED)} from jobs where job_id = any($1) and status in ('completed', 'failed')`,
    [jobIds],
  )
}
