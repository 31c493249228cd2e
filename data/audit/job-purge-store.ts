import type { PurgeTarget } from '../../domain/audit/purge.ts'
import type { Tx } from '../shared/database.ts'
import { execute, select } from '../shared/statements.ts'
import { computed, integer, list, pick, text, type Row } from '../shared/table.ts'
import { interventionsTable } from '../people/tables.ts'
import { jobsTable } from '../runs/tables.ts'

const PURGEABLE = pick(jobsTable, 'job_id', 'status', 'failed_code')
/** An ended job whose content is still stored. */
export type PurgeableJob = Row<typeof PURGEABLE>

const JOB_ID = pick(jobsTable, 'job_id')

/**
 * SQL conditions that select the jobs of a target, whose id is `$1` (as text). For an asset, these are the jobs that
 * extract its text.
 */
const ROOTS: Partial<Record<PurgeTarget['type'], string>> = {
  trace: '(trace_id = $1::text::uuid or source_trace_id = $1::text::uuid)',
  job: 'job_id = $1::text',
  meetings: 'meeting_id = $1::text',
  assets: 'asset_id = $1::text::uuid',
}

/**
 * Returns the table `tree` for the target with the id `$1`. The table contains the target's jobs and their child runs.
 * It also contains all jobs in the threads of these runs, and runs started by messages in these threads.
 */
export const buildTree = ({ type }: PurgeTarget): string => buildTreeFrom(ROOTS[type] ?? '$1::text is null')

/** Returns the same table, starting from the jobs that match a condition. */
export const buildTreeFrom = (condition: string): string => `recursive tree (job_id, trace_id) as (
    select job_id, trace_id from jobs where ${condition}
     union
    select found.job_id, found.trace_id
      from tree cross join lateral (
        select job_id, trace_id from jobs where parent_job_id = tree.job_id
        union all select job_id, trace_id from jobs where trace_id = tree.trace_id
        union all select job_id, trace_id from jobs where source_trace_id = tree.trace_id
      ) found
  )`

/** Returns SQL that selects the thread ids of a target from the table `tree`. */
export const buildTraces = ({ type }: PurgeTarget): string =>
  `select trace_id from tree where trace_id is not null${type === 'trace' ? ' union select $1::text::uuid' : ''}`

/** Returns the ids of a target's open jobs. Omits jobs that are descendants of another open job. */
export async function findOpenJobIds(tx: Tx, target: PurgeTarget, limit: number): Promise<string[]> {
  const open = await select(
    tx,
    JOB_ID,
    `with ${buildTree(target)}, open as (
       select job_id, parent_job_id from tree join jobs using (job_id) where status not in ('completed', 'failed')
     )
     select job_id from open
      where not exists (select from open above where above.job_id = open.parent_job_id) order by job_id limit $2`,
    [target.id, limit],
  )
  return open.map(({ job_id }) => job_id)
}

/** Returns the ids of all jobs of a target. */
export async function listJobIds(tx: Tx, target: PurgeTarget): Promise<string[]> {
  const jobs = await select(tx, JOB_ID, `with ${buildTree(target)} select job_id from tree`, [target.id])
  return jobs.map(({ job_id }) => job_id)
}

export async function findPurgeableJobs(tx: Tx, target: PurgeTarget, limit: number): Promise<PurgeableJob[]> {
  return select(
    tx,
    PURGEABLE,
    `with ${buildTree(target)}
     select ${list(PURGEABLE)} from tree join jobs using (job_id)
      where status in ('completed', 'failed') and purged_at is null order by job_id limit $2`,
    [target.id, limit],
  )
}

/** The tables with job content. Votes are kept, because they contain no text. */
const CONTENT_TABLES = {
  nodes: 'job_nodes',
  texts: 'vote_texts',
  specs: 'neuron_runs',
  pieces: 'audio_pieces',
  payloads: 'run_payloads',
  bulk: 'bulk_items',
  answers: 'channel_messages',
  notices: 'notifications',
} as const

export type DeletedRows = Record<keyof typeof CONTENT_TABLES, number>

/** Deletes rows with job content, at most `limit` rows per table. */
export async function deleteJobContent(tx: Tx, jobIds: string[], limit: number): Promise<DeletedRows> {
  const deleted = Object.entries(CONTENT_TABLES).map(async ([name, table]) => {
    const count = await execute(
      tx,
      `delete from ${table} where ctid = any(array(select ctid from ${table} where job_id = any($1) limit $2))`,
      [jobIds, limit],
    )
    return [name, count] as const
  })
  return Object.fromEntries(await Promise.all(deleted)) as DeletedRows
}

const INTERVENTION = pick(interventionsTable, 'id', 'job_id', 'status', 'shown_hash')
const REMOVED = {
  ...INTERVENTION,
  brain_id: computed(jobsTable.columns.brain_id, 'brain_id'),
  /** Number of votes, which a purge keeps. */
  votes: computed(integer(), '(select count(*)::integer from intervention_votes where intervention_id = removed.id)'),
}
/** An intervention after its content is removed. */
export type RemovedTask = Row<typeof REMOVED>

/**
 * Deletes up to `limit` interventions of jobs, with their history, their messages in channels, their notifications, and the
 * stored responses to their comments.
 */
export async function deleteInterventions(tx: Tx, jobIds: string[], limit: number): Promise<RemovedTask[]> {
  return select(
    tx,
    REMOVED,
    `with removed as (
       delete from interventions where ctid = any(array(select ctid from interventions where job_id = any($1) limit $2))
       returning ${list(INTERVENTION)}
     ), responses as (
       update idempotency_keys set response = null where response is not null and target in (select id from removed)
     ), messages as (
       delete from channel_messages where intervention_id in (select id from removed)
     ), notices as (
       delete from notifications where intervention_id in (select id from removed)
     )
     select ${list(REMOVED, 'removed')}
       from removed join jobs using (job_id)`,
    [jobIds, limit],
  )
}

/**
 * Locks jobs until the transaction ends. Transactions that write job content wait for the lock, and then skip purged
 * jobs.
 */
export async function lockJobs(tx: Tx, jobIds: string[]): Promise<void> {
  await execute(tx, 'select from jobs where job_id = any($1) order by job_id for update', [jobIds])
}

/** Returns the hashes of the recordings that these jobs transcribed. */
export async function listAudioHashes(tx: Tx, jobIds: string[]): Promise<string[]> {
  const rows = await select(
    tx,
    { sha256: text() },
    `select distinct audio_sha256 as sha256 from jobs where job_id = any($1) and audio_sha256 is not null`,
    [jobIds],
  )
  return rows.map(({ sha256 }) => sha256)
}

/** Removes inputs, outputs and messages from job rows, and marks the jobs as purged. Keeps the meeting id. */
export async function markJobsPurged(tx: Tx, jobIds: string[]): Promise<void> {
  await execute(
    tx,
    `update jobs set purged_at = now(), title = kind, input = case when kind = 'meeting' then input end, definition = null, result = null,
                     failed_reason = null, failed_node_key = null, receipt = null, current_step = null
      where job_id = any($1)`,
    [jobIds],
  )
  await execute(tx, 'update job_forks set reason = null where job_id = any($1)', [jobIds])
  await execute(tx, 'update bulk_items set message = null where run_id = any($1)', [jobIds])
  // The trigger event contains the job input.
  await execute(tx, 'update trigger_firings set event = null, input = null where job_id = any($1)', [jobIds])
}

/** Removes copies of a target's messages from triggers: queued events, and firings that started no run. */
export async function deleteMessageCopies(tx: Tx, target: PurgeTarget): Promise<void> {
  await execute(
    tx,
    `with ${buildTree(target)}, threads as (select trace_id::text from (${buildTraces(target)}) traces),
     waiting as (delete from trigger_events where trace_id in (select trace_id from threads))
     update trigger_firings set event = null, input = null, reason = null
      where trace_id in (select trace_id from threads)`,
    [target.id],
  )
}

/** Deletes up to `limit` messages of a target. Returns the number of deleted messages. */
export async function deleteMessages(tx: Tx, target: PurgeTarget, limit: number): Promise<number> {
  return execute(
    tx,
    `with ${buildTree(target)}
     delete from trace_messages where ctid = any(array(
       select message.ctid from trace_messages message
        where trace_id in (${buildTraces(target)}) limit $2))`,
    [target.id, limit],
  )
}

/** Deletes the threads of a target and removes their titles, which quote the first message. */
export async function emptyTraces(tx: Tx, target: PurgeTarget): Promise<void> {
  await execute(
    tx,
    `with ${buildTree(target)}
     update traces set title = '', deleted_at = coalesce(deleted_at, now())
      where id in (${buildTraces(target)})`,
    [target.id],
  )
}

/** Whether another actor has started jobs in the thread. */
export async function hasJobsOfOthers(tx: Tx, traceId: string, actor: string): Promise<boolean> {
  const row = await execute(
    tx,
    'select from jobs where trace_id = $1 and parent_job_id is null and requester <> $2 limit 1',
    [traceId, actor],
  )
  return row > 0
}
