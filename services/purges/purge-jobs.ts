import { deleteUnusedContents } from '../../data/contents-store.ts'
import type { Database } from '../../data/database.ts'
import {
  deleteJobContent,
  type DeletedRows,
  listAudioHashes,
  lockJobs,
  markJobsPurged,
  type PurgeableJob,
} from '../../data/job-purge-store.ts'
import { markPayloadsPurged } from '../../data/payload-store.ts'
import type { Removed } from '../../domain/purge.ts'
import { toTerminalEvent } from '../jobs/snapshot.ts'
import { deleteHistory } from './delete-history.ts'
import type { PurgeDeps } from './purge-batch.ts'

/** The numbers of rows that were deleted, and of recordings. */
type DeletedContent = DeletedRows & { contents: number }

/** Rows of one table that one statement deletes. */
const MAX_ROWS = 5_000

/**
 * Removes the content of ended jobs: histories, streams, then rows. Returns undefined, with the rows unchanged, while the
 * run of one is still closing. Throws Unavailable.
 */
export async function purgeJobs(
  { db, temporal, publisher }: Pick<PurgeDeps, 'db' | 'temporal' | 'publisher'>,
  workspaceId: string,
  jobs: PurgeableJob[],
): Promise<Partial<Removed> | undefined> {
  return removeJobContent({ db, temporal }, workspaceId, jobs, job =>
    publisher.replaceStream(job.job_id, toTerminalEvent({ ...job, result: null, failed_reason: null })),
  )
}

/** The same with another end of the streams. */
export async function removeJobContent(
  { db, temporal }: Pick<PurgeDeps, 'db' | 'temporal'>,
  workspaceId: string,
  jobs: PurgeableJob[],
  endStream: (job: PurgeableJob) => Promise<void>,
): Promise<Partial<Removed> | undefined> {
  const histories = await Promise.all(jobs.map(({ job_id }) => deleteHistory(temporal, job_id)))
  if (histories.includes('open')) return undefined
  await Promise.all(jobs.map(endStream))
  const ids = jobs.map(({ job_id }) => job_id)
  const { specs: _specs, bulk: _bulk, ...removed } = await deleteAllContent(db, workspaceId, ids)
  return { jobs: ids.length, ...removed }
}

/** Deletes the rows in several transactions. The last one marks the jobs, so that an interrupted purge is repeated. */
async function deleteAllContent(db: Database, workspaceId: string, ids: string[]): Promise<DeletedContent> {
  const deleted = await db.inWorkspace(workspaceId, async tx => {
    await lockJobs(tx, ids)
    const rows = await deleteJobContent(tx, ids, MAX_ROWS)
    if (Object.values(rows).includes(MAX_ROWS)) return { removed: { ...rows, contents: 0 }, isLast: false }
    const audio = await listAudioHashes(tx, ids)
    await Promise.all([markJobsPurged(tx, ids), markPayloadsPurged(tx, ids)])
    return { removed: { ...rows, contents: await deleteUnusedContents(tx, audio) }, isLast: true }
  })
  if (deleted.isLast) return deleted.removed
  const rest = await deleteAllContent(db, workspaceId, ids)
  return Object.fromEntries(
    Object.entries(deleted.removed).map(([name, count]) => [name, count + rest[name as keyof DeletedContent]]),
  ) as DeletedContent
}
