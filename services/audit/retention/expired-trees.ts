import { RETENTION, writeAudit } from '../../../data/audit/audit-store.ts'
import { deleteMessageCopies, deleteMessages, findPurgeableJobs } from '../../../data/audit/job-purge-store.ts'
import {
  type Cutoffs,
  deleteTree,
  type ExpiredTree,
  findExpiredJobs,
  findExpiredTraces,
} from '../../../data/audit/retention-store.ts'
import { deleteFiles } from '../../../data/documents/files-store.ts'
import { addExpired, type ExpiryCounts } from '../../../domain/audit/retention.ts'
import { removeJobContent } from '../purges/purge-jobs.ts'
import type { RetentionDeps } from './remove-expired.ts'

/** Maximum numbers of trees (runs or threads), jobs per tree, messages and files in one batch. */
const MAX_TREES = 25
const MAX_JOBS = 25
const MAX_MESSAGES = 5_000
const MAX_FILES = 50

type Deps = Pick<RetentionDeps, 'db' | 'temporal' | 'publisher'>

/** The numbers of items removed by a batch. `isMore` is true if part of a tree is left. */
interface TreeBatch {
  removed: Partial<ExpiryCounts>
  isMore: boolean
}

/** Removes expired runs and threads with their child runs: histories, streams, then rows. */
export async function removeExpiredTrees(
  deps: Deps,
  workspaceId: string,
  cutoffs: Cutoffs,
  signal: AbortSignal,
): Promise<TreeBatch> {
  const expiredTrees = await deps.db.inWorkspace(workspaceId, async tx => [
    ...(await findExpiredJobs(tx, cutoffs.jobs, MAX_TREES)),
    ...(await findExpiredTraces(tx, cutoffs, MAX_TREES)),
  ])
  const batch: TreeBatch = { removed: {}, isMore: false }
  for (const tree of expiredTrees) {
    signal.throwIfAborted()
    const { removed: counts, isMore } = await removeTree(deps, workspaceId, tree)
    batch.removed = addExpired(batch.removed, counts)
    batch.isMore ||= isMore
  }
  return batch
}

/**
 * Removes a batch of a tree. The rows that link the tree's jobs and threads are removed last, because they define
 * what belongs to the tree.
 */
async function removeTree(deps: Deps, workspaceId: string, tree: ExpiredTree): Promise<TreeBatch> {
  const { db, publisher } = deps
  const jobs = await db.inWorkspace(workspaceId, tx => findPurgeableJobs(tx, tree, MAX_JOBS))
  if (jobs.length > 0) {
    const endStream = ({ job_id }: { job_id: string }) => publisher.deleteStream(job_id)
    // If Temporal still reports a run as open, a later pass removes the tree.
    const removal = { workspaceId, author: RETENTION, verb: 'expire' } as const
    if (!(await removeJobContent(deps, removal, jobs, endStream))) return { removed: {}, isMore: false }
    if (jobs.length === MAX_JOBS) return { removed: {}, isMore: true }
  }
  return db.inWorkspace(workspaceId, async tx => {
    await deleteMessageCopies(tx, tree)
    const messages = await deleteMessages(tx, tree, MAX_MESSAGES)
    if (messages === MAX_MESSAGES) return { removed: { messages }, isMore: true }
    const removedFiles = await deleteFiles(tx, tree, MAX_FILES)
    if (removedFiles.files > 0) return { removed: { messages, ...removedFiles }, isMore: true }
    const rows = await deleteTree(tx, tree)
    const { type, id: target, brain_id } = tree
    await writeAudit(tx, RETENTION, { action: `${type}.expire`, target, brain_id, details: { ...rows, messages } })
    return { removed: { ...rows, messages }, isMore: false }
  })
}
