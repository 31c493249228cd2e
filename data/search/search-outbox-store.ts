import type { Tx } from '../shared/database.ts'
import { execute, requireRow, select, selectOne } from '../shared/statements.ts'
import { integer, list, pick, type Row } from '../shared/table.ts'
import { workspacesTable } from '../access/tables.ts'
import { searchOutboxTable } from './tables.ts'

const ENTRY = pick(searchOutboxTable, 'id', 'workspace_id', 'resource_id', 'version', 'attempts')
/** A change to a resource that is not in the search index yet. */
export type OutboxEntry = Row<typeof ENTRY>

/**
 * Makes the outboxes of all workspaces visible to a transaction without a workspace, and forces index scans. The
 * outbox is almost empty when Postgres collects statistics, so a plan for a few rows would scan thousands.
 */
const setIndexerRole = (tx: Tx): Promise<unknown> =>
  execute(tx, `select set_config('app.indexing', 'on', true), set_config('enable_seqscan', 'off', true)`)

/**
 * Leases due entries from one queue. The first entry of every workspace precedes the second entry of any workspace,
 * so that a busy workspace does not block the others. Concurrent indexers never lease the same entry. An entry is due
 * again when its lease expires.
 */
export async function leaseEntries(
  tx: Tx,
  { limit, leaseSeconds, isLarge }: { limit: number; leaseSeconds: number; isLarge: boolean },
): Promise<OutboxEntry[]> {
  const [, rows] = await Promise.all([
    setIndexerRole(tx),
    select(
      tx,
      ENTRY,
      `with recursive owners as (
         (select workspace_id from search_outbox where is_large = $3 order by workspace_id limit 1)
         union all
         select (select workspace_id from search_outbox
                  where is_large = $3 and workspace_id > owners.workspace_id order by workspace_id limit 1)
           from owners where workspace_id is not null
       ), turns as (
         select id from owners cross join lateral (
           select id, due_at, row_number() over (order by due_at, id) as turn from search_outbox
            where is_large = $3 and workspace_id = owners.workspace_id and due_at <= now()
            order by due_at, id limit $1
         ) own order by turn, due_at limit $1
       )
       update search_outbox set due_at = now() + make_interval(secs => $2), attempts = attempts + 1
        where id = any (array(select id from search_outbox where id = any (array(select id from turns))
                                 and due_at <= now() for update skip locked))
       returning ${list(ENTRY)}`,
      [limit, leaseSeconds, isLarge],
    ),
  ])
  return rows
}

/** Deletes entries that were indexed. */
export async function deleteEntries(tx: Tx, ids: number[]): Promise<void> {
  await Promise.all([setIndexerRole(tx), execute(tx, 'delete from search_outbox where id = any($1::bigint[])', [ids])])
}

/** Moves entries to the queue for large resources, where they are due immediately. */
export async function moveToLargeQueue(tx: Tx, ids: number[]): Promise<void> {
  await Promise.all([
    setIndexerRole(tx),
    execute(tx, 'update search_outbox set is_large = true, due_at = now() where id = any($1::bigint[])', [ids]),
  ])
}

/** Schedules the next attempt at these entries in `seconds`. */
export async function rescheduleEntries(tx: Tx, ids: number[], seconds: number): Promise<void> {
  await Promise.all([
    setIndexerRole(tx),
    execute(tx, 'update search_outbox set due_at = now() + make_interval(secs => $2) where id = any($1::bigint[])', [
      ids,
      seconds,
    ]),
  ])
}

/** Stores why entries could not be indexed, and schedules the next attempt. */
export async function recordFailures(
  tx: Tx,
  failures: { id: number; seconds: number; failure: string }[],
): Promise<void> {
  await Promise.all([
    setIndexerRole(tx),
    execute(
      tx,
      `update search_outbox set due_at = now() + make_interval(secs => failed.seconds), failure = failed.failure
         from unnest($1::bigint[], $2::float8[], $3::text[]) as failed (id, seconds, failure)
        where search_outbox.id = failed.id`,
      [failures.map(({ id }) => id), failures.map(({ seconds }) => seconds), failures.map(({ failure }) => failure)],
    ),
  ])
}

/** Counts the workspace's resources whose latest indexing attempt failed. */
export async function countIndexFailures(tx: Tx): Promise<number> {
  const row = await selectOne(
    tx,
    { count: integer() },
    'select count(distinct resource_id)::integer as count from search_outbox where failure is not null',
  )
  return requireRow(row).count
}

/** Lists the ids of all workspaces in order. With a page, lists up to `limit` ids after the given id. */
export async function listWorkspaceIds(tx: Tx, page?: { after: string; limit: number }): Promise<string[]> {
  const [, rows] = await Promise.all([
    setIndexerRole(tx),
    select(
      tx,
      pick(workspacesTable, 'id'),
      `select id from workspaces where $1::text = '' or id > nullif($1, '')::uuid order by id limit $2`,
      [page?.after ?? '', page?.limit ?? null],
    ),
  ])
  return rows.map(({ id }) => id)
}
