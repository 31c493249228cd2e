import type { Tx } from './database.ts'
import type { Resource } from './entities/resources.ts'

/** A head with what search has of it. */
export interface IndexedHead extends Resource {
  workspace_id: string
  /** As of this revision; null when it has nothing. */
  indexed_revision: number | null
  /** The index that has it. */
  index_name: string | null
  /** Documents of the index that it is at most. */
  parts: number
  /** What its chunks were made of. */
  text_key: string | null
}

const SELECT = `select head.id, head.workspace_id, head.brain_id, head.kind, head.slug, head.title, head.path,
    head.scope, head.is_active, head.version, head.revision, head.document, head.created_at, head.updated_at,
    head.deleted_at, state.revision as indexed_revision, state.index_name, coalesce(state.parts, 0) as parts, state.text_key
  from resources head left join search_state state on state.resource_id = head.id`

/** Live or not. */
export async function findIndexedHeads(tx: Tx, ids: string[]): Promise<IndexedHead[]> {
  return tx.query<IndexedHead[]>(`${SELECT} where head.id = any($1::uuid[])`, [ids])
}

/** Heads as they were at former versions, of which nothing has been cut into pieces yet. */
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

/** Heads above a revision, in the order of their revisions. */
export async function listHeadsAfter(tx: Tx, revision: number, limit: number): Promise<IndexedHead[]> {
  return tx.query<IndexedHead[]>(`${SELECT} where head.revision > $1 order by head.revision limit $2`, [
    revision,
    limit,
  ])
}

export interface SearchState {
  resource_id: string
  revision: number
  index_name: string | null
  parts: number
  text_key: string | null
  /** Why it cannot be found, or not in full. */
  problem: string | null
}

/**
 * Notes, before they are written, how many documents heads may come to be, so that whoever writes a later revision knows
 * what there may be to remove. Gives the ids of those that still are at their revision; for the others nothing is noted.
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

/** What is known of a newer revision stays. */
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

/** Lets the indexer look again at what changed after a revision: the index it wrote to may not be the live one any more. */
export async function enqueueSince(tx: Tx, revision: number): Promise<void> {
  await tx.query(
    `insert into search_outbox (resource_id, revision, version)
     select id, revision, version from resources where revision > $1`,
    [revision],
  )
}
