import type { Tx } from '../shared/database.ts'
import { execute, insert, requireRow, select, selectOne } from '../shared/statements.ts'
import { bigint, computed, integer, list, nullable, pick, text, time, uuid, type Row } from '../shared/table.ts'
import { HEAD } from '../resources/resources-store.ts'
import { resourcesTable, resourceVersionsTable } from '../resources/tables.ts'
import { searchStateTable } from './tables.ts'

const INDEXED_HEAD = {
  ...HEAD,
  ...pick(resourcesTable, 'workspace_id'),
  /** The revision in the index. Null when the resource is not indexed. */
  indexed_revision: computed(nullable(bigint()), 'state.revision'),
  /** The name of the index that contains the resource. */
  index_name: computed(nullable(text()), 'state.index_name'),
  /** Maximum number of index documents that the resource may have. */
  parts: computed(integer(), 'coalesce(state.parts, 0)'),
  /** The key of the text that was split into chunks. */
  text_key: computed(nullable(text()), 'state.text_key'),
}
/** A head with its search state. */
export type IndexedHead = Row<typeof INDEXED_HEAD>

const SELECT = `select ${list(INDEXED_HEAD, 'head')}
  from resources head left join search_state state on state.resource_id = head.id`

/** Returns live and deleted heads with their search state. */
export async function findIndexedHeads(tx: Tx, ids: string[]): Promise<IndexedHead[]> {
  return select(tx, INDEXED_HEAD, `${SELECT} where head.id = any($1::uuid[])`, [ids])
}

const FORMER_HEAD = {
  ...INDEXED_HEAD,
  title: computed(resourceVersionsTable.columns.title, 'saved.title'),
  version: computed(resourceVersionsTable.columns.version, 'saved.version'),
  document: computed(resourceVersionsTable.columns.document, 'saved.document'),
  updated_at: computed(time(), 'saved.created_at'),
  indexed_revision: computed(nullable(bigint()), 'null::bigint'),
  index_name: computed(nullable(text()), 'null::text'),
  parts: computed(integer(), '0'),
  text_key: computed(nullable(text()), 'null::text'),
}

/** Returns heads as of these versions, if the versions are not current and have no chunks yet. */
export async function findUnchunkedVersions(
  tx: Tx,
  versions: { resource_id: string; version: number }[],
): Promise<IndexedHead[]> {
  return select(
    tx,
    FORMER_HEAD,
    `select ${list(FORMER_HEAD, 'head')}
       from unnest($1::uuid[], $2::integer[]) as wanted (resource_id, version)
       join resource_versions saved using (resource_id, version)
       join resources head on head.id = saved.resource_id and head.version <> saved.version
      where not exists (select from text_chunks cut
                         where cut.resource_id = saved.resource_id and cut.version = saved.version)`,
    [versions.map(({ resource_id }) => resource_id), versions.map(({ version }) => version)],
  )
}

/** Lists up to `limit` heads with a higher revision, in order of revision. */
export async function listHeadsAfter(tx: Tx, revision: number, limit: number): Promise<IndexedHead[]> {
  return select(tx, INDEXED_HEAD, `${SELECT} where head.revision > $1 order by head.revision limit $2`, [
    revision,
    limit,
  ])
}

/**
 * Returns a revision that separates past changes from future ones. All changes with a lower revision are committed, and
 * all later changes get a higher one. The call waits for transactions that are changing resources, and new ones wait
 * for the call. Throws Unavailable after half a second. The call can be repeated.
 */
export async function takeRevision(tx: Tx): Promise<number> {
  await execute(tx, `set local lock_timeout = '500ms'`)
  await execute(tx, 'lock table resources in share mode')
  const row = await selectOne(tx, { revision: bigint() }, `select nextval('resource_revisions') as revision`)
  return requireRow(row).revision
}

export type SearchState = Pick<
  Row<typeof searchStateTable.columns>,
  'resource_id' | 'revision' | 'index_name' | 'parts' | 'text_key' | 'problem'
>

/**
 * Saves the maximum number of documents per head before the documents are written. The writer of a later revision
 * then knows how many to remove. Returns the ids of heads whose revision is unchanged. Saves nothing for the others.
 */
export async function reserveParts(
  tx: Tx,
  heads: { id: string; revision: number; parts: number }[],
): Promise<Set<string>> {
  const current = await select(
    tx,
    { id: uuid() },
    `insert into search_state as known (resource_id, revision, parts)
     select head.id, 0, wanted.parts
       from unnest($1::uuid[], $2::bigint[], $3::integer[]) as wanted (id, revision, parts)
       join resources head on head.id = wanted.id and head.revision = wanted.revision
      order by head.id
     on conflict (resource_id) do update set parts = greatest(known.parts, excluded.parts)
     returning resource_id as id`,
    [heads.map(({ id }) => id), heads.map(({ revision }) => revision), heads.map(({ parts }) => parts)],
  )
  return new Set(current.map(({ id }) => id))
}

/** Saves the search state of a resource, unless the state of a newer revision is already saved. */
export async function saveSearchState(tx: Tx, state: SearchState): Promise<void> {
  const { resource_id, revision, index_name, parts, text_key, problem } = state
  await insert(
    tx,
    searchStateTable,
    { resource_id, revision, index_name, parts, text_key, problem },
    `on conflict (resource_id) do update set revision = excluded.revision, index_name = excluded.index_name, parts = excluded.parts,
       text_key = excluded.text_key, problem = excluded.problem, indexed_at = now()
      where search_state.revision <= excluded.revision`,
  )
}

/** Enqueues resources for the live index. */
export async function enqueueResources(tx: Tx, ids: string[]): Promise<void> {
  await execute(
    tx,
    `insert into search_outbox (resource_id, revision, version)
     select id, revision, version from resources where id = any($1::uuid[])`,
    [ids],
  )
}

/** Enqueues resources with a higher revision, because their changes may have been written only to a previous index. */
export async function enqueueSince(tx: Tx, revision: number): Promise<void> {
  await execute(
    tx,
    `insert into search_outbox (resource_id, revision, version)
     select id, revision, version from resources where revision > $1`,
    [revision],
  )
}
