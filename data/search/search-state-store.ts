import type { Tx } from '../shared/database.ts'
import type { Resource } from '../shared/entities/resources.ts'

/** A head with its state in the search index. */
export interface IndexedHead extends Resource {
  workspace_id: string
  /** The indexed revision; null when the resource is not indexed. */
  indexed_revision: number | null
  /** The name of the index that holds it. */
  index_name: string | null
  /** Maximum number of its documents in the index. */
  parts: number
  /** The key of the text that its chunks were cut from. */
  text_key: string | null
}

const SELECT = `select head.id, head.workspace_id, head.brain_id, head.kind, head.slug, head.title, head.path,
    head.scope, head.is_active, head.version, head.revision, head.document, head.created_at, head.updated_at,
    head.deleted_at, state.revision as indexed_revision, state.index_name, coalesce(state.parts, 0) as parts, state.text_key
  from resources head left join search_state state on state.resource_id = head.id`

/** Returns heads with their search state, live or deleted. */
export async function findIndexedHeads(tx: Tx, ids: string[]): Promise<IndexedHead[]> {
  return tx.query<IndexedHead[]>(`${SELECT} where head.id = any($1::uuid[])`, [ids])
}

/** Returns heads at former versions that have no chunks yet. */
export async function findUnchunkedVersions(
  tx: Tx,
  wanted: { resource_id: string; version: number }[],
): Promise<IndexedHead[]> {
  return tx.query<IndexedHead[]>(
    `select head.id, head.workspace_id, head.brain_id, head.kind, head.slug, saved.title, head.path, head.scope,
            head.is_active, saved.version, head.revision, saved.document, head.created_at, saved.created_at as updated_at,
            head.deleted_at, null as indexed_revision, null as index_name, 0 as parts, null as text_key
       from unnest($1::uuid[], $2::integer[]) as wanted (resource_id, version)
       join resource_versions saved using (resource_id, version)
       join resources head on head.id = saved.resource_id and head.version <> saved.version
      where not exists (select from text_chunks cut
                         where cut.resource_id = saved.resource_id and cut.version = saved.version)`,
    [wanted.map(({ resource_id }) => resource_id), wanted.map(({ version }) => version)],
  )
}

/** Lists heads above a revision, in order of revision. */
export async function listHeadsAfter(tx: Tx, revision: number, limit: number): Promise<IndexedHead[]> {
  return tx.query<IndexedHead[]>(`${SELECT} where head.revision > $1 order by head.revision limit $2`, [
    revision,
    limit,
  ])
}

/**
 * Returns a revision: all lower ones are committed, and all changes after it get higher ones. It waits for transactions
 * that change resources, and new ones wait for it. Throws Unavailable when that takes half a second; it may be repeated.
 */
export async function takeRevision(tx: Tx): Promise<number> {
  await tx.query(`set local lock_timeout = '500ms'`)
  await tx.query('lock table resources in share mode')
  const [row] = await tx.query<[{ revision: number }]>(`select nextval('resource_revisions') as revision`)
  return row.revision
}

export interface SearchState {
  resource_id: string
  revision: number
  index_name: string | null
  parts: number
  text_key: string | null
  /** The reason why the resource is missing from the index or incomplete. */
  problem: string | null
}

/**
 * Saves the maximum number of documents of heads before they are written, so that the writer of a later revision can
 * remove them. Returns the ids of the heads that still have their revision; the others are not saved.
 */
export async function reserveParts(
  tx: Tx,
  heads: { id: string; revision: number; parts: number }[],
): Promise<Set<string>> {
  const current = await tx.query<{ id: string }[]>(
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

/** Saves the search state of a resource unless a newer revision is saved. */
export async function saveSearchState(tx: Tx, state: SearchState): Promise<void> {
  const { resource_id, revision, index_name, parts, text_key, problem } = state
  await tx.query(
    `insert into search_state as known (resource_id, revision, index_name, parts, text_key, problem)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (resource_id) do update set revision = excluded.revision, index_name = excluded.index_name, parts = excluded.parts,
       text_key = excluded.text_key, problem = excluded.problem, indexed_at = now()
      where known.revision <= excluded.revision`,
    [resource_id, revision, index_name, parts, text_key, problem],
  )
}

/** Enqueues resources, so that the live index gets them. */
export async function enqueueResources(tx: Tx, ids: string[]): Promise<void> {
  await tx.query(
    `insert into search_outbox (resource_id, revision, version)
     select id, revision, version from resources where id = any($1::uuid[])`,
    [ids],
  )
}

/** Enqueues resources with a higher revision, because they may have been written to a former index. */
export async function enqueueSince(tx: Tx, revision: number): Promise<void> {
  await tx.query(
    `insert into search_outbox (resource_id, revision, version)
     select id, revision, version from resources where revision > $1`,
    [revision],
  )
}
