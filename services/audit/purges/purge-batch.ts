import { writeAudit } from '../../../data/audit/audit-store.ts'
import {
  deleteMessageCopies,
  deleteMessages,
  emptyTraces,
  findOpenJobIds,
  findPurgeableJobs,
  listJobIds,
} from '../../../data/audit/job-purge-store.ts'
import { deleteFiles } from '../../../data/documents/files-store.ts'
import { findJob } from '../../../data/runs/jobs-store.ts'
import {
  findPurgeableResources,
  hasUnpublishedEvents,
  isPurgeUnindexed,
} from '../../../data/audit/resource-purge-store.ts'
import { isTerminal } from '../../../domain/runs/jobs.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import { addRemoved, type PurgeTarget, type RemovalCounts } from '../../../domain/audit/purge.ts'
import type { JobPublisher } from '../../../streams/job-publisher.ts'
import { contextBrain } from '../../access/brains.ts'
import { callRun, requestCancel } from '../../runs/cancel-run.ts'
import { createStatusReader } from '../../runs/status/status.ts'
import type { Temporal } from '../../shared/temporal.ts'
import { deleteHistory } from './delete-history.ts'
import { markDeleted, nameTarget } from './mark-deleted.ts'
import { purgeJobs } from './purge-jobs.ts'
import { purgeResources, type ResourceRemovalDeps } from './purge-resources.ts'

/** The outcome of a batch. `waitsFor` is the condition that blocks further removal. */
export type PurgeOutcome = { waitsFor: string } | { removed: RemovalCounts; done: boolean }

/**
 * Removes one batch of a target's content: first its ended or cancelled jobs, then messages, files and resources. Each
 * batch can be repeated safely. Throws Unavailable.
 */
export type PurgeBatch = (principal: Principal, target: PurgeTarget, counts: RemovalCounts) => Promise<PurgeOutcome>

export interface PurgeDeps extends ResourceRemovalDeps {
  temporal: Temporal
  publisher: Pick<JobPublisher, 'replaceStream'>
  /** False if there is no search index. */
  hasIndex: boolean
}

const MAX_JOBS = 25
const MAX_MESSAGES = 5_000
/** Low, because a file can contain many megabytes. */
const MAX_FILES = 50
const MAX_RESOURCES = 25

export function createPurgeBatch(deps: PurgeDeps): PurgeBatch {
  const { db, temporal, hasIndex } = deps
  const readStatus = createStatusReader(deps)

  /** Requests cancellation of the target's open runs. Returns true if no open runs are left. */
  async function stopOpenRuns(principal: Principal, target: PurgeTarget): Promise<boolean> {
    const { workspace_id } = principal
    const open = await db.inWorkspace(workspace_id, tx => findOpenJobIds(tx, target, MAX_JOBS))
    for (const jobId of open) {
      const row = await db.inWorkspaceAtOnce(workspace_id, tx => findJob(tx, jobId))
      // Reading the status also updates the stored status of a run that has closed.
      if (!row || isTerminal((await readStatus(row)).status)) continue
      if (row.cancelled_by === null) await requestCancel(deps, principal, row)
      else await callRun(temporal, () => temporal.handle(jobId).cancel())
    }
    return open.length === 0
  }

  /** Returns true when Temporal no longer has a history for any of the target's jobs. */
  async function areHistoriesDeleted({ workspace_id }: Principal, target: PurgeTarget): Promise<boolean> {
    const jobIds = await db.inWorkspace(workspace_id, tx => listJobIds(tx, target))
    for (let at = 0; at < jobIds.length; at += MAX_JOBS) {
      const slice = jobIds.slice(at, at + MAX_JOBS)
      const histories = await Promise.all(slice.map(jobId => deleteHistory(temporal, jobId)))
      if (histories.some(state => state !== 'deleted')) return false
    }
    return true
  }

  /** Writes the audit entry once Temporal and the search index have removed the purged content. */
  async function conclude(principal: Principal, target: PurgeTarget, counts: RemovalCounts): Promise<PurgeOutcome> {
    if (!(await areHistoriesDeleted(principal, target))) return { waitsFor: 'Temporal to delete histories' }
    return db.inWorkspace(principal.workspace_id, async tx => {
      if (hasIndex && (await isPurgeUnindexed(tx))) return { waitsFor: 'the search index to remove entries' }
      const action = `${nameTarget(target)}.purge` as const
      const brain_id = contextBrain(principal)
      await writeAudit(tx, principal, { action, target: target.id, brain_id, details: { removed: counts } })
      return { removed: counts, done: true }
    })
  }

  return async (principal, target, before) => {
    const { workspace_id } = principal
    const more = (counts: Partial<RemovalCounts>): PurgeOutcome => ({
      removed: addRemoved(before, counts),
      done: false,
    })

    await db.inWorkspace(workspace_id, async tx => {
      await markDeleted(tx, principal, target, contextBrain(principal))
      // Prevents queued messages from starting more runs.
      await deleteMessageCopies(tx, target)
    })
    if (!(await stopOpenRuns(principal, target))) return { waitsFor: 'open runs to end' }

    const jobs = await db.inWorkspace(workspace_id, tx => findPurgeableJobs(tx, target, MAX_JOBS))
    if (jobs.length > 0) {
      const removal = { workspaceId: workspace_id, author: principal, verb: 'purge' } as const
      const counts = await purgeJobs(deps, removal, jobs)
      return counts ? more(counts) : { waitsFor: 'open runs to end' }
    }

    const messages = await db.inWorkspace(workspace_id, tx => deleteMessages(tx, target, MAX_MESSAGES))
    if (messages > 0) return more({ messages })

    const files = await db.inWorkspace(workspace_id, tx => deleteFiles(tx, target, MAX_FILES))
    if (files.files > 0) return more(files)

    const resources = await db.inWorkspace(workspace_id, tx => findPurgeableResources(tx, target, MAX_RESOURCES))
    if (resources.length > 0) {
      if (await db.inWorkspace(workspace_id, tx => hasUnpublishedEvents(tx, resources)))
        return { waitsFor: 'pending resource events' }
      return more(await purgeResources(deps, workspace_id, resources))
    }

    await db.inWorkspace(workspace_id, tx => emptyTraces(tx, target))
    return conclude(principal, target, before)
  }
}
