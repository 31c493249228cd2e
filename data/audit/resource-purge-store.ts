import type { PurgeTarget } from '../../domain/audit/purge.ts'
import { deleteUnusedContents } from '../documents/contents-store.ts'
import type { Tx } from '../shared/database.ts'
import { execute, select, selectOne } from '../shared/statements.ts'
import { boolean, nullable, pick, text } from '../shared/table.ts'
import { resourcesTable } from '../resources/tables.ts'
import { buildTraces, buildTree } from './job-purge-store.ts'

/** Marks a resource as purged, and deletes it if it is still live. Returns false if it was not live. */
export async function markResourcePurged(tx: Tx, id: string): Promise<boolean> {
  const before = await selectOne(
    tx,
    { is_live: boolean() },
    'select deleted_at is null as is_live from resources where id = $1 for update',
    [id],
  )
  await execute(
    tx,
    `update resources set deleted_at = coalesce(deleted_at, now()), purged_at = now(), updated_at = now()
      where id = $1 and purged_at is null`,
    [id],
  )
  return before?.is_live ?? false
}

/**
 * Returns up to `limit` resources of a target that still have content. These are the resource itself, the transcripts
 * of a meeting in its brain, or the recollections from a thread.
 */
export async function findPurgeableResources(tx: Tx, target: PurgeTarget, limit: number): Promise<string[]> {
  // A resource whose content was removed has no title.
  const rows = await select(
    tx,
    pick(resourcesTable, 'id'),
    `with ${buildTree(target)}
     select id from resources
      where title <> '' and id in (
        select id from resources where id = any($3::uuid[])
         union all
        select id from resources
         where source_meeting_id = $1::text
           and brain_id is not distinct from (select brain_id from resources meeting where meeting.id = any($3::uuid[]))
         union all
        select id from resources where source_trace_id in (select trace_id::text from (${buildTraces(target)}) traces))
      order by id limit $2`,
    [target.id, limit, isResource(target) ? [target.id] : []],
  )
  return rows.map(({ id }) => id)
}

const isResource = ({ type }: PurgeTarget): boolean => type !== 'trace' && type !== 'job'

/**
 * Locks resources until the transaction ends. The indexer waits for the lock, and then writes no chunks for these
 * resources.
 */
export async function lockResources(tx: Tx, ids: string[]): Promise<void> {
  await execute(tx, 'select from resources where id = any($1::uuid[]) order by id for update', [ids])
}

/** Deletes up to `limit` chunks of resources, and their vectors unless another chunk has the same text. */
export async function deleteChunks(tx: Tx, ids: string[], limit: number): Promise<number> {
  const deleted = await deleteRows(tx, 'text_chunks', ids, limit)
  await deleteUnusedVectors(tx, deleted)
  return deleted.length
}

/** Deletes those of the given vectors that no chunk uses. Returns the number of deleted vectors. */
export async function deleteUnusedVectors(tx: Tx, hashes: (string | null)[]): Promise<number> {
  return execute(
    tx,
    `delete from chunk_vectors
      where sha256 = any($1::text[])
        and not exists (select from text_chunks where text_chunks.sha256 = chunk_vectors.sha256)`,
    [hashes],
  )
}

/**
 * Deletes up to `limit` versions of resources. Also deletes their contents, unless something else in the workspace
 * refers to them.
 */
export async function deleteVersions(
  tx: Tx,
  ids: string[],
  limit: number,
): Promise<{ versions: number; contents: number }> {
  const hashes = await deleteRows(tx, 'resource_versions', ids, limit)
  return { versions: hashes.length, contents: await deleteContents(tx, hashes) }
}

/**
 * Deletes up to `limit` meeting recordings with their transcripts. Also deletes their contents, unless something else
 * refers to them.
 */
export async function deleteMeetingAudio(
  tx: Tx,
  ids: string[],
  limit: number,
): Promise<{ pieces: number; contents: number }> {
  const hashes = await deleteRows(tx, 'meeting_audio', ids, limit)
  return { pieces: hashes.length, contents: await deleteContents(tx, hashes) }
}

/** The resource id and content hash columns of each table. */
const OWNED = {
  text_chunks: { owner: 'resource_id', hash: 'sha256' },
  resource_versions: { owner: 'resource_id', hash: 'content_sha256' },
  meeting_audio: { owner: 'meeting_id', hash: 'sha256' },
}

/**
 * Deletes up to `limit` rows that belong to the resources. Returns the SHA-256 from each row, which is null for
 * versions without content.
 */
async function deleteRows(tx: Tx, table: keyof typeof OWNED, ids: string[], limit: number): Promise<(string | null)[]> {
  const { owner, hash } = OWNED[table]
  const deleted = await select(
    tx,
    { sha256: nullable(text()) },
    `with deleted as (
       delete from ${table} where ctid = any(array(select ctid from ${table} where ${owner} = any($1::uuid[]) limit $2))
       returning ${hash}
     ) select ${hash} as sha256 from deleted`,
    [ids, limit],
  )
  return deleted.map(({ sha256 }) => sha256)
}

const deleteContents = (tx: Tx, hashes: (string | null)[]): Promise<number> =>
  deleteUnusedContents(tx, [...new Set(hashes.filter(sha256 => sha256 !== null))])

/** Removes all content from the heads of resources. The indexer then removes them from the search index. */
export async function emptyResources(tx: Tx, ids: string[]): Promise<void> {
  await execute(
    tx,
    `update resources
        set title = '', slug = id::text, path = '/', document = '{}', is_active = false, updated_at = now(),
            deleted_at = coalesce(deleted_at, now()), purged_at = coalesce(purged_at, now())
      where id = any($1::uuid[])`,
    [ids],
  )
  await execute(tx, 'update search_state set text_key = null, problem = null where resource_id = any($1::uuid[])', [
    ids,
  ])
}

/** Whether any events about the resources are still unpublished. Such events contain slugs and folders. */
export async function hasUnpublishedEvents(tx: Tx, ids: string[]): Promise<boolean> {
  const rows = await execute(
    tx,
    `select from event_outbox where subject #>> '{resource,id}' = any($1::text[]) limit 1`,
    [ids],
  )
  return rows > 0
}

/**
 * Removes slugs and folders from published events about the resources. Also removes the data that endpoints and
 * triggers derived from these events.
 */
export async function redactEvents(tx: Tx, ids: string[]): Promise<void> {
  await execute(
    tx,
    `update webhook_deliveries
        set body = jsonb_set(jsonb_set(body::jsonb, '{resource,slug}', body::jsonb #> '{resource,id}'),
                             '{resource,path}', '"/"')::text,
            attempt_log = (select coalesce(jsonb_agg(attempt - 'response'), '[]')
                             from jsonb_array_elements(attempt_log) attempt)
      where event_type like 'resource.%' and body::json #>> '{resource,id}' = any($1::text[])`,
    [ids],
  )
  await execute(
    tx,
    `update trigger_firings set event = null, input = null where event #>> '{resource,id}' = any($1::text[])`,
    [ids],
  )
}

/** Whether the search index may still contain a purged resource from this workspace. */
export async function isPurgeUnindexed(tx: Tx): Promise<boolean> {
  const rows = await execute(
    tx,
    `select from search_outbox join resources on resources.id = search_outbox.resource_id
      where purged_at is not null limit 1`,
  )
  return rows > 0
}
