import type { Tx } from '../shared/database.ts'
import { execute, requireRow, select, selectOne } from '../shared/statements.ts'
import { computed, integer, list, pick, text, type Row } from '../shared/table.ts'
import { tracesTable } from '../agents/tables.ts'
import { contentsTable } from '../documents/tables.ts'
import { resourcesTable } from '../resources/tables.ts'
import { jobsTable } from '../runs/tables.ts'
import { buildTraces, buildTree, buildTreeFrom } from './job-purge-store.ts'

/** Expiry cutoffs (ISO 8601). Null disables expiry. */
export interface Cutoffs {
  jobs: string
  threads: string | null
  deleted: string
  usage: string | null
  audit: string | null
  firings: string
  /** For files that no message or answer uses. */
  unusedFiles: string
}

const EXPIRED_JOB = {
  type: computed(text<'job'>(), `'job'`),
  id: computed(text(), 'job_id'),
  ...pick(jobsTable, 'brain_id'),
}
const EXPIRED_TRACE = { type: computed(text<'trace'>(), `'trace'`), ...pick(tracesTable, 'id', 'brain_id') }

/** An expired run or thread, with everything that belongs to it. */
export type ExpiredTree = Row<typeof EXPIRED_JOB> | Row<typeof EXPIRED_TRACE>

/** Returns a condition that is true if any job in the tree of `root` is open or ended after the cutoff. */
const isInUse = (root: string, cutoff: string): string => `exists (
  with ${buildTreeFrom(root)}
  select from tree join jobs used using (job_id)
   where used.status not in ('completed', 'failed') or used.finished_at >= ${cutoff})`

/**
 * Returns outermost runs that ended before the cutoff, with all their child runs. A run that belongs to a thread,
 * asset or meeting is kept as long as that thread, asset or meeting.
 */
export async function findExpiredJobs(tx: Tx, cutoff: string, limit: number): Promise<ExpiredTree[]> {
  return select(
    tx,
    EXPIRED_JOB,
    `select ${list(EXPIRED_JOB)} from jobs root
      where parent_job_id is null and trace_id is null and finished_at < $1 and status in ('completed', 'failed')
        and not exists (select from resources owner where owner.id = root.asset_id and owner.purged_at is null)
        and not exists (select from resources owner
                         where owner.id = root.meeting_id::uuid and owner.purged_at is null)
        and not ${isInUse('job_id = root.job_id', '$1')}
      order by finished_at limit $2`,
    [cutoff, limit],
  )
}

/**
 * Returns threads that were deleted before the cutoff for deleted threads, and live threads with no turn since the
 * cutoff for live threads. Threads of type `system` expire like runs. The thread of a child run is kept as long as
 * the parent run.
 */
export async function findExpiredTraces(tx: Tx, cutoffs: Cutoffs, limit: number): Promise<ExpiredTree[]> {
  return select(
    tx,
    EXPIRED_TRACE,
    `select ${list(EXPIRED_TRACE, 'root')} from traces root,
            lateral (select case when deleted_at is not null then $1::timestamptz
                                 when trace_type = 'system' then $2::timestamptz
                                 else $3::timestamptz end as cutoff) limits
      where coalesce(deleted_at, updated_at) < cutoff
        and not exists (select from jobs child join jobs parent on parent.job_id = child.parent_job_id
                         where child.trace_id = root.id)
        and not ${isInUse('trace_id = root.id', 'cutoff')}
      order by updated_at limit $4`,
    [cutoffs.deleted, cutoffs.jobs, cutoffs.threads, limit],
  )
}

const DELETED = {
  jobs: computed(integer(), '(select count(*) from gone)::integer'),
  threads: computed(integer(), '(select count(*) from threads)::integer'),
}

/**
 * Deletes the rows of a tree whose content is already removed: its jobs, its threads, and the marks of purged
 * payloads.
 */
export async function deleteTree(tx: Tx, target: ExpiredTree): Promise<Row<typeof DELETED>> {
  const counted = await selectOne(
    tx,
    DELETED,
    `with ${buildTree(target)},
     payloads as (delete from run_payloads using tree where run_payloads.job_id = tree.job_id),
     threads as (delete from traces where id in (${buildTraces(target)}) returning 1),
     gone as (delete from jobs using tree where jobs.job_id = tree.job_id returning 1)
     select ${list(DELETED)}`,
    [target.id],
  )
  return requireRow(counted)
}

const EXPIRED_RESOURCE = pick(resourcesTable, 'id', 'kind', 'brain_id')
/** A deleted resource whose content has expired. */
export type ExpiredResource = Row<typeof EXPIRED_RESOURCE>

/**
 * Returns resources that were deleted before the cutoff and still have content. Excludes resources deleted while a
 * run was in progress that is still open, because the run may have pinned a version.
 */
export async function findExpiredResources(tx: Tx, cutoff: string, limit: number): Promise<ExpiredResource[]> {
  return select(
    tx,
    EXPIRED_RESOURCE,
    `select ${list(EXPIRED_RESOURCE)} from resources
      where deleted_at < $1 and title <> ''
        and not exists (select from jobs where status in ('pending', 'running', 'waiting', 'paused')
                                           and jobs.created_at <= resources.deleted_at)
      order by deleted_at limit $2`,
    [cutoff, limit],
  )
}

/** Deletes purged heads that are no longer in the search index. */
export async function deleteEmptyHeads(
  tx: Tx,
  { cutoff, hasIndex, limit }: { cutoff: string; hasIndex: boolean; limit: number },
): Promise<number> {
  return execute(
    tx,
    `delete from resources where id = any(array(
       select id from resources
        where deleted_at < $1 and purged_at is not null and title = ''
          and (not $2 or not exists (select from search_outbox where resource_id = resources.id)
                     and not exists (select from search_state where resource_id = resources.id and parts > 0))
        limit $3))`,
    [cutoff, hasIndex, limit],
  )
}

/** Deletes changes that wait for the search index. */
export const deleteIndexEntries = (tx: Tx, limit: number): Promise<number> =>
  execute(tx, 'delete from search_outbox where id = any(array(select id from search_outbox limit $1))', [limit])

/** Deletes expired idempotency keys. */
export const deleteExpiredKeys = (tx: Tx, limit: number): Promise<number> =>
  execute(
    tx,
    `delete from idempotency_keys where ctid = any(array(
       select ctid from idempotency_keys where expires_at <= now() limit $1))`,
    [limit],
  )

/** Deletes credentials that were revoked or expired before the cutoff. */
export const deleteEndedCredentials = (tx: Tx, cutoff: string, limit: number): Promise<number> =>
  execute(
    tx,
    `delete from credentials where id = any(array(
       select id from credentials where least(revoked_at, expires_at) < $1 limit $2))`,
    [cutoff, limit],
  )

export const deleteUsageBefore = (tx: Tx, cutoff: string, limit: number): Promise<number> =>
  execute(tx, 'delete from usage_events where id = any(array(select id from usage_events where at < $1 limit $2))', [
    cutoff,
    limit,
  ])

/** Deletes trigger firings created before the cutoff, except firings whose run has not started. */
export const deleteFiringsBefore = (tx: Tx, cutoff: string, limit: number): Promise<number> =>
  execute(
    tx,
    `delete from trigger_firings where id = any(array(
       select id from trigger_firings where created_at < $1 and start_due_at is null limit $2))`,
    [cutoff, limit],
  )

/**
 * Deletes messages in channels that have not changed since the cutoff, except messages about open tasks and runs. The
 * service keeps its copies.
 */
export const deleteChannelMessagesBefore = (tx: Tx, cutoff: string, limit: number): Promise<number> =>
  execute(
    tx,
    `delete from channel_messages where id = any(array(
       select id from channel_messages message
        where updated_at < $1 and start_due_at is null
          and not exists (select from interventions where id = intervention_id and status = 'open')
          and not exists (select from jobs where jobs.job_id = message.job_id and status not in ('completed', 'failed'))
        limit $2))`,
    [cutoff, limit],
  )

/** Deletes notifications created before the cutoff. */
export const deleteNotificationsBefore = (tx: Tx, cutoff: string, limit: number): Promise<number> =>
  execute(
    tx,
    `delete from notifications where id = any(array(
       select id from notifications where created_at < $1 order by created_at limit $2))`,
    [cutoff, limit],
  )

/** Removes audit log entries from before the cutoff. The database never removes entries from the last year. */
export async function expireAudit(tx: Tx, cutoff: string, limit: number): Promise<number> {
  const statement = 'select expire_audit_log($1, $2)::integer as removed'
  return requireRow(await selectOne(tx, { removed: integer() }, statement, [cutoff, limit])).removed
}

/** Returns up to `limit` vector hashes after the given hash, in order. */
export async function listVectorHashes(tx: Tx, after: string, limit: number): Promise<string[]> {
  const rows = await select(
    tx,
    { sha256: text() },
    'select distinct sha256 from chunk_vectors where sha256 > $1 order by sha256 limit $2',
    [after, limit],
  )
  return rows.map(({ sha256 }) => sha256)
}

/** Returns up to `limit` content hashes after the given hash, in order. */
export async function listContentHashes(tx: Tx, after: string, limit: number): Promise<string[]> {
  const rows = await select(
    tx,
    pick(contentsTable, 'sha256'),
    'select sha256 from contents where sha256 > $1 order by sha256 limit $2',
    [after, limit],
  )
  return rows.map(({ sha256 }) => sha256)
}
