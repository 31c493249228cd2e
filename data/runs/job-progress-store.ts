import type { RecordInput } from '../../domain/runs/run-records.ts'
import type { Tx } from '../shared/database.ts'
import { IS_OF_ENDED, mergeMilestones, MILESTONE, upsertNodes } from './job-nodes-store.ts'
import { toStorableJson } from '../../domain/shared/json/storable.ts'
import { select } from '../shared/statements.ts'
import { listTypes, pick } from '../shared/table.ts'
import { jobsTable } from './tables.ts'

/** Treatment of a job that another transaction is writing: wait for it, or skip it. */
type Busy = 'wait' | 'skip'

const buildStatement = (busy: Busy): string => `
  with change as (
    select * from json_to_recordset($1::json) as change
           (job_id text, status text, seq integer, current_step text, progress json, has_progress boolean)
  ), claimed as (
    select job_id, jobs.status in ('completed', 'failed') as has_ended from jobs
     where job_id = any($3)
     order by job_id for no key update ${busy === 'skip' ? 'skip locked' : ''}
  ), advanced as (
    update jobs
       set status = case when change.seq < status_seq then jobs.status
                         else coalesce(change.status, case jobs.status when 'pending' then 'running' else jobs.status end)
                    end,
           -- The start of a node has no number, and may be written after its end.
           current_step = case when change.seq < status_seq
                                 or (change.seq is null and jobs.status in ('waiting', 'paused')) then jobs.current_step
                               else coalesce(change.current_step, jobs.current_step) end,
           status_seq = greatest(status_seq, change.seq),
           progress = coalesce(change.progress, jobs.progress),
           processed_at = case when change.status = 'pending' then processed_at else coalesce(processed_at, now()) end
      from claimed join change using (job_id)
     where jobs.job_id = claimed.job_id and not claimed.has_ended and (has_progress or jobs.status = 'pending')
  ), saved as (
    ${upsertNodes(`
      select given.* from claimed jobs join json_to_recordset($2::json) as given (job_id text, ${listTypes(MILESTONE)}) using (job_id)
       where not jobs.has_ended or ${IS_OF_ENDED}`)}
  )
  select job_id from claimed`

const WRITTEN = pick(jobsTable, 'job_id')
const STATEMENTS: Record<Busy, string> = { wait: buildStatement('wait'), skip: buildStatement('skip') }

/**
 * Writes the progress of jobs and the milestones of their nodes, but no interventions, in one statement. The first
 * update changes a pending job to `running`. An ended job accepts only outputs and attempts. Nothing is written for a
 * job without a row. A transaction that waits for a job must not hold locks on others, so use `skip` to write several
 * jobs. Returns the ids of the written jobs.
 */
export async function advanceJobs(tx: Tx, records: RecordInput[], busy: Busy): Promise<Set<string>> {
  const changes = records.map(({ job: { job_id }, status, seq, current_step, progress }) => {
    const has_progress = status !== undefined || current_step !== undefined || progress !== undefined
    return { job_id, status, seq, current_step, progress, has_progress }
  })
  const milestones = records.flatMap(({ job: { job_id }, nodes }) =>
    mergeMilestones(nodes).map(milestone => Object.assign(milestone, { job_id })),
  )
  const values = [toStorableJson(changes), toStorableJson(milestones), changes.map(({ job_id }) => job_id)]
  const rows = await select(tx, WRITTEN, STATEMENTS[busy], values)
  return new Set(rows.map(({ job_id }) => job_id))
}
