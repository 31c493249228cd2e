import { type AuditAuthor, writeAudit } from '../../../data/audit/audit-store.ts'
import { deleteUnusedContents } from '../../../data/documents/contents-store.ts'
import type { Database, Tx } from '../../../data/shared/database.ts'
import {
  deleteInterventions,
  deleteJobContent,
  type DeletedRows,
  listAudioHashes,
  lockJobs,
  markJobsPurged,
  type PurgeableJob,
  type RemovedTask,
} from '../../../data/audit/job-purge-store.ts'
import { markPayloadsPurged } from '../../../data/runs/payload-store.ts'
import type { RemovalCounts } from '../../../domain/audit/purge.ts'
import { createTerminalEvent } from '../../runs/snapshot.ts'
import { deleteHistory } from './delete-history.ts'
import type { PurgeDeps } from './purge-batch.ts'

/** The numbers of deleted rows, interventions and recordings. */
type DeletedContent = DeletedRows & { interventions: number; contents: number }

/** The author of a removal, and whether the removal was requested or the content expired. */
export interface Removal {
  workspaceId: string
  author: AuditAuthor
  verb: 'purge' | 'expire'
}

/** Maximum number of rows per delete statement. */
const MAX_ROWS = 5_000

/**
 * Removes the content of ended jobs: histories, streams, then rows. While a run is still closing, returns undefined
 * and changes no rows. Throws Unavailable.
 */
export async function purgeJobs(
  { db, temporal, publisher }: Pick<PurgeDeps, 'db' | 'temporal' | 'publisher'>,
  removal: Removal,
  jobs: PurgeableJob[],
): Promise<Partial<RemovalCounts> | undefined> {
  return removeJobContent({ db, temporal }, removal, jobs, job =>
    publisher.replaceStream(job.job_id, createTerminalEvent({ ...job, result: null, failed_reason: null })),
  )
}

/** Like `purgeJobs`, but the caller decides how streams are ended. */
export async function removeJobContent(
  { db, temporal }: Pick<PurgeDeps, 'db' | 'temporal'>,
  removal: Removal,
  jobs: PurgeableJob[],
  endStream: (job: PurgeableJob) => Promise<void>,
): Promise<Partial<RemovalCounts> | undefined> {
  const histories = await Promise.all(jobs.map(({ job_id }) => deleteHistory(temporal, job_id)))
  if (histories.includes('open')) return undefined
  await Promise.all(jobs.map(endStream))
  const ids = jobs.map(({ job_id }) => job_id)
  const {
    specs: _specs,
    bulk: _bulk,
    texts: _texts,
    answers: _answers,
    notices: _notices,
    ...counts
  } = await deleteAllContent(db, removal, ids)
  return { jobs: ids.length, ...counts }
}

/**
 * Deletes the rows in several transactions. The last transaction marks the jobs as purged, so that an interrupted
 * purge can resume.
 */
async function deleteAllContent(db: Database, removal: Removal, ids: string[]): Promise<DeletedContent> {
  const deleted = await db.inWorkspace(removal.workspaceId, async tx => {
    await lockJobs(tx, ids)
    const tasks = await deleteInterventions(tx, ids, MAX_ROWS)
    await auditTasks(tx, removal, tasks)
    const rows = { ...(await deleteJobContent(tx, ids, MAX_ROWS)), interventions: tasks.length }
    if (Object.values(rows).includes(MAX_ROWS)) return { removed: { ...rows, contents: 0 }, isLast: false }
    const audio = await listAudioHashes(tx, ids)
    await Promise.all([markJobsPurged(tx, ids), markPayloadsPurged(tx, ids)])
    return { removed: { ...rows, contents: await deleteUnusedContents(tx, audio) }, isLast: true }
  })
  if (deleted.isLast) return deleted.removed
  const rest = await deleteAllContent(db, removal, ids)
  return Object.fromEntries(
    Object.entries(deleted.removed).map(([name, count]) => [name, count + rest[name as keyof DeletedContent]]),
  ) as DeletedContent
}

/** Records who removed the texts of each decision. The decision's votes are kept. */
async function auditTasks(tx: Tx, { author, verb }: Removal, tasks: RemovedTask[]): Promise<void> {
  for (const { id, brain_id, shown_hash, ...details } of tasks)
    if (details.votes > 0)
      await writeAudit(tx, author, {
        action: `intervention.${verb}`,
        target: id,
        brain_id,
        details: { ...details, shown_hash },
      })
}
