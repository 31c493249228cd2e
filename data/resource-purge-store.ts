import type { Tx } from './database.ts'
import { TREE } from './job-purge-store.ts'

/** Accepts the purge of a resource: from now on it is deleted and cannot be restored. Returns false if it was deleted. */
export async function markResourcePurged(tx: Tx, id: string): Promise<boolean> {
  const [before] = await tx.query<{ is_live: boolean }[]>(
    'select deleted_at is null as is_live from resources where id = $1 for update',
    [id],
  )
  await tx.query(
    `update resources set deleted_at = coalesce(deleted_at, now()), purged_at = now(), updated_at = now()
      where id = $1 and purged_at is null`,
    [id],
  )
  return before?.is_live ?? false
}

/** Returns resources of a target that are not empty yet: the resource itself, or the recollections from a thread. */
export async function findPurgeableResources(tx: Tx, targetId: string, limit: number): Promise<string[]> {
  // An empty resource has no title.
  const found = await tx.query<{ id: string }[]>(
    `with ${TREE}
     select id from resources
      where title <> '' and id in (
        select id from resources where id = $1
         union all
        select id from resources where source_trace_id in (select $1::text union select trace_id::text from tree))
      order by id limit $2`,
    [targetId, limit],
  )
  return found.map(({ id }) => id)
}

/** Locks resources until the transaction ends: the indexer waits, and then writes no chunks of them. */
export async function lockResources(tx: Tx, ids: string[]): Promise<void> {
  await tx.query('select from resources where id = any($1::uuid[]) order by id for update', [ids])
}

/** Deletes up to `limit` chunks of resources, and their vectors unless another chunk has the same text. */
export async function deleteChunks(tx: Tx, ids: string[], limit: number): Promise<number> {
  const deleted = await tx.query<{ sha256: string }[]>(
    `with deleted as (
       delete from text_chunks where ctid = any(array(
         select ctid from text_chunks where resource_id = any($1::uuid[]) limit $2))
       returning sha256
     ) select sha256 from deleted`,
    [ids, limit],
  )
  await tx.query(
    `delete from chunk_vectors
      where sha256 = any($1::text[])
        and not exists (select from text_chunks where text_chunks.sha256 = chunk_vectors.sha256)`,
    [deleted.map(({ sha256 }) => sha256)],
  )
  return deleted.length
}

/** Deletes up to `limit` versions of resources, with the contents that nothing else in the workspace has. */
export async function deleteVersions(
  tx: Tx,
  ids: string[],
  limit: number,
): Promise<{ versions: number; contents: number }> {
  const deleted = await tx.query<{ sha256: string | null }[]>(
    `with deleted as (
       delete from resource_versions where ctid = any(array(
         select ctid from resource_versions where resource_id = any($1::uuid[]) limit $2))
       returning content_sha256
     ) select content_sha256 as sha256 from deleted`,
    [ids, limit],
  )
  const hashes = deleted.flatMap(({ sha256 }) => sha256 ?? [])
  return { versions: deleted.length, contents: await deleteUnusedContents(tx, [...new Set(hashes)]) }
}

/** Deletes those of the contents that nothing refers to, and then their extracted texts. Returns their number. */
async function deleteUnusedContents(tx: Tx, hashes: string[]): Promise<number> {
  if (hashes.length === 0) return 0
  // Whoever is about to refer to one holds a lock on it, so the next statement sees that reference.
  await tx.query('select from contents where sha256 = any($1::text[]) order by sha256 for update', [hashes])
  const unused = await tx.query<{ sha256: string }[]>(
    `select sha256 from contents
      where sha256 = any($1::text[])
        and not exists (select from resource_versions where content_sha256 = contents.sha256)
        and not exists (select from meeting_audio where sha256 = contents.sha256)
        and not exists (select from extractions where text_sha256 = contents.sha256 and sha256 <> contents.sha256)`,
    [hashes],
  )
  const removable = unused.map(({ sha256 }) => sha256)
  const texts = await tx.query<{ sha256: string | null }[]>(
    `with deleted as (delete from extractions where sha256 = any($1::text[]) returning text_sha256)
     select distinct text_sha256 as sha256 from deleted`,
    [removable],
  )
  await tx.query('delete from contents where sha256 = any($1::text[])', [removable])
  return (
    removable.length +
    (await deleteUnusedContents(
      tx,
      texts.flatMap(({ sha256 }) => sha256 ?? []),
    ))
  )
}

/** Removes all content from the heads of resources. The indexer then removes them from the search index. */
export async function emptyResources(tx: Tx, ids: string[]): Promise<void> {
  await tx.query(
    `update resources
        set title = '', slug = id::text, path = '/', document = '{}', is_active = false, updated_at = now(),
            deleted_at = coalesce(deleted_at, now()), purged_at = coalesce(purged_at, now())
      where id = any($1::uuid[])`,
    [ids],
  )
  await tx.query('update search_state set text_key = null, problem = null where resource_id = any($1::uuid[])', [ids])
}

/** Returns true while the search index may still hold a purged resource of the workspace. */
export async function isPurgeUnindexed(tx: Tx): Promise<boolean> {
  const found = await tx.query<unknown[]>(
    `select from search_outbox join resources on resources.id = search_outbox.resource_id
      where purged_at is not null limit 1`,
  )
  return found.length > 0
}
