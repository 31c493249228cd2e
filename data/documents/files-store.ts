import type { PurgeTarget } from '../../domain/audit/purge.ts'
import { buildTraces, buildTree } from '../audit/job-purge-store.ts'
import type { Tx } from '../shared/database.ts'
import { execute, requireRow, insertReturning, select, selectOne } from '../shared/statements.ts'
import { bigint, computed, list, omit, type Row, text } from '../shared/table.ts'
import { deleteUnusedContents } from './contents-store.ts'
import { filesTable } from './tables.ts'

const FILE = omit(filesTable, 'workspace_id', 'owner')
export type FileRecord = Row<typeof FILE>

/** The thread or run that a file belongs to. */
export type FileOwner = { trace_id: string } | { job_id: string }

/** SQL condition: no message or answer uses the file. */
const IS_UNUSED = 'trace_id is null and job_id is null'

export async function insertFile(
  tx: Tx,
  file: Omit<FileRecord, 'created_at' | 'trace_id' | 'job_id'>,
): Promise<FileRecord> {
  return requireRow(await insertReturning(tx, filesTable, file, FILE))
}

/** Returns the rows of files. A file that forks use has several rows, oldest first. */
export async function findFiles(tx: Tx, ids: string[]): Promise<FileRecord[]> {
  return select(tx, FILE, `select ${list(FILE)} from files where id = any($1::uuid[]) order by created_at`, [ids])
}

/**
 * Finds a file that is unused, or whose thread or run is in one of the brains. `brainIds` is null for all brains. A file
 * that forks use has several rows, of which the oldest is returned.
 */
export async function findVisibleFile(tx: Tx, id: string, brainIds: string[] | null): Promise<FileRecord | undefined> {
  const isVisible = '($2::uuid[] is null or brain_id is null or brain_id = any($2))'
  return selectOne(
    tx,
    FILE,
    `select ${list(FILE)} from files
      where id = $1::uuid
        and (${IS_UNUSED}
             or exists (select from traces where traces.id = files.trace_id and deleted_at is null and ${isVisible})
             or exists (select from jobs where jobs.job_id = files.job_id and ${isVisible}))
      order by created_at limit 1`,
    [id, brainIds],
  )
}

/** Returns whether a thread has files. */
export async function hasFiles(tx: Tx, traceId: string): Promise<boolean> {
  return (await execute(tx, 'select from files where trace_id = $1 limit 1', [traceId])) > 0
}

/** Returns files, and locks their rows until the transaction ends. */
export async function lockFiles(tx: Tx, ids: string[]): Promise<FileRecord[]> {
  return select(tx, FILE, `select ${list(FILE)} from files where id = any($1::uuid[]) order by id for update`, [ids])
}

/** Sets the owner of files that have none. */
export async function setFileOwner(tx: Tx, ids: string[], owner: FileOwner): Promise<void> {
  const [column, type] = getOwnerColumn(owner)
  await execute(tx, `update files set ${column} = $2::${type} where id = any($1::uuid[]) and ${IS_UNUSED}`, [
    ids,
    Object.values(owner)[0],
  ])
}

const COPIED = list(omit(filesTable, 'workspace_id', 'trace_id', 'job_id', 'owner', 'created_at'))

/** Makes files of a run and its thread also belong to the run's fork. Waits for a purge of the files in progress. */
export async function copyFiles(
  tx: Tx,
  ids: string[],
  from: { job_id: string; trace_id: string | null },
  to: FileOwner,
): Promise<void> {
  const [column, type] = getOwnerColumn(to)
  await execute(
    tx,
    `insert into files (${column}, ${COPIED})
     select distinct on (id) $4::${type}, ${COPIED} from (
       select ${COPIED} from files where id = any($1::uuid[]) and (job_id = $2 or trace_id = $3) for share
     ) original
     on conflict do nothing`,
    [ids, from.job_id, from.trace_id, Object.values(to)[0]],
  )
}

const getOwnerColumn = (owner: FileOwner) =>
  'trace_id' in owner ? (['trace_id', 'uuid'] as const) : (['job_id', 'text'] as const)

/** Returns those of the files that belong to the run, to one of its parents, or to their threads. */
export async function findFilesOfRun(tx: Tx, ids: string[], jobId: string): Promise<FileRecord[]> {
  return select(
    tx,
    FILE,
    `with recursive line (job_id, parent_job_id, trace_id) as (
       select job_id, parent_job_id, trace_id from jobs where job_id = $2
       union all
       select parent.job_id, parent.parent_job_id, parent.trace_id
         from line join jobs parent on parent.job_id = line.parent_job_id
     )
     select ${list(FILE)} from files
      where id = any($1::uuid[]) and (job_id in (select job_id from line) or trace_id in (select trace_id from line))`,
    [ids, jobId],
  )
}

/** Returns the total size of an uploader's unused files. Waits for the uploader's other requests in progress. */
export async function sumUnusedFiles(tx: Tx, workspaceId: string, actor: string): Promise<number> {
  const name = JSON.stringify(['files', workspaceId, actor])
  await execute(tx, 'select pg_advisory_xact_lock(hashtextextended($1, 0))', [name])
  const total = { size: computed(bigint(), 'coalesce(sum(size), 0)::bigint') }
  const row = await selectOne(tx, total, `select ${list(total)} from files where actor = $1 and ${IS_UNUSED}`, [actor])
  return requireRow(row).size
}

/** Deletes an uploader's oldest unused files, until at least this many bytes are free. A later pass removes their contents. */
export async function deleteOldestUnused(tx: Tx, actor: string, bytes: number): Promise<void> {
  await execute(
    tx,
    `delete from files where ${IS_UNUSED}
        and id = any(array(
          select id from (select id, sum(size) over (order by created_at, id) - size as freed
                            from files where actor = $1 and ${IS_UNUSED}) oldest
           where freed < $2::bigint))`,
    [actor, bytes],
  )
}

const HASH = { sha256: text() }

/** Deletes up to `limit` files that nothing has used since the cutoff. A later pass removes their contents. */
export const deleteUnusedFiles = (tx: Tx, cutoff: string, limit: number): Promise<number> =>
  execute(
    tx,
    `delete from files where ${IS_UNUSED}
        and id = any(array(select id from files where ${IS_UNUSED} and created_at < $1 limit $2))`,
    [cutoff, limit],
  )

/** Deletes up to `limit` files of a target's threads and runs, with their contents and texts. */
export async function deleteFiles(
  tx: Tx,
  target: PurgeTarget,
  limit: number,
): Promise<{ files: number; contents: number }> {
  const deleted = await select(
    tx,
    HASH,
    `with ${buildTree(target)}
     delete from files where ctid = any(array(
       select ctid from files
        where trace_id in (${buildTraces(target)}) or job_id in (select job_id from tree) limit $2))
     returning sha256`,
    [target.id, limit],
  )
  const hashes = [...new Set(deleted.map(({ sha256 }) => sha256))]
  return { files: deleted.length, contents: await deleteUnusedContents(tx, hashes) }
}
