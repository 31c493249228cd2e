import type { Tx } from './database.ts'

/** A resource whose place in the search index is behind. */
export interface OutboxEntry {
  /** Of the outbox. */
  id: number
  workspace_id: string
  resource_id: string
  /** The version the head had then. */
  version: number
  attempts: number
}

/** Opens what waits for the indexer, of all workspaces, to a transaction that has none. */
const setIndexerRole = (tx: Tx): Promise<unknown> => tx.query(`select set_config('app.indexing', 'on', true)`)

/**
 * Takes what has waited longest, for so long: whoever comes later takes it again. Several indexers never take the same.
 * What is known to be large is taken by who asks for it.
 */
export async function leaseEntries(
  tx: Tx,
  { limit, leaseSeconds, isLarge }: { limit: number; leaseSeconds: number; isLarge: boolean },
): Promise<OutboxEntry[]> {
  const [, [rows]] = await Promise.all([
    setIndexerRole(tx),
    tx.query<[OutboxEntry[], number]>(
      `update search_outbox set due_at = now() + make_interval(secs => $2), attempts = attempts + 1
        where id in (select id from search_outbox where is_large = $3 and due_at <= now()
                      order by due_at, id limit $1 for update skip locked)
       returning id, workspace_id, resource_id, version, attempts`,
      [limit, leaseSeconds, isLarge],
    ),
  ])
  return rows
}

/** They are done with. */
export async function deleteEntries(tx: Tx, ids: number[]): Promise<void> {
  await Promise.all([setIndexerRole(tx), tx.query('delete from search_outbox where id = any($1::bigint[])', [ids])])
}

/** They are large: they wait for who takes such. */
export async function moveToLargeQueue(tx: Tx, ids: number[]): Promise<void> {
  await Promise.all([
    setIndexerRole(tx),
    tx.query('update search_outbox set is_large = true, due_at = now() where id = any($1::bigint[])', [ids]),
  ])
}

/** They wait for their next attempt. */
export async function rescheduleEntries(tx: Tx, ids: number[], seconds: number): Promise<void> {
  await Promise.all([
    setIndexerRole(tx),
    tx.query(`update search_outbox set due_at = now() + make_interval(secs => $2) where id = any($1::bigint[])`, [
      ids,
      seconds,
    ]),
  ])
}

/** The workspaces there are, for a rebuild of the index. */
export async function listWorkspaceIds(tx: Tx): Promise<string[]> {
  const [, rows] = await Promise.all([
    setIndexerRole(tx),
    tx.query<{ id: string }[]>('select id from workspaces order by id'),
  ])
  return rows.map(({ id }) => id)
}
