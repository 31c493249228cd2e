import type { Config } from '../../../config/config.ts'
import type { Database, Tx } from '../../../data/shared/database.ts'
import { deleteUnusedContents, findUnusedContents } from '../../../data/documents/contents-store.ts'
import { deleteUnusedFiles } from '../../../data/documents/files-store.ts'
import { deleteUnusedVectors } from '../../../data/audit/resource-purge-store.ts'
import {
  type Cutoffs,
  deleteChannelMessagesBefore,
  deleteNotificationsBefore,
  deleteEmptyHeads,
  deleteEndedCredentials,
  deleteExpiredKeys,
  deleteIndexEntries,
  deleteFiringsBefore,
  deleteUsageBefore,
  expireAudit,
  listContentHashes,
  listVectorHashes,
  type ExpiredResource,
  findExpiredResources,
} from '../../../data/audit/retention-store.ts'
import { expireVotes } from '../../../data/people/votes-store.ts'
import {
  addExpired,
  type ExpiryCounts,
  type ExpiryBatch,
  type RetentionCursor,
} from '../../../domain/audit/retention.ts'
import type { JobPublisher } from '../../../streams/job-publisher.ts'
import { type ResourceRemovalDeps, purgeResources } from '../purges/purge-resources.ts'
import type { Temporal } from '../../shared/temporal.ts'
import { removeExpiredTrees } from './expired-trees.ts'
import { RETENTION, writeAudit } from '../../../data/audit/audit-store.ts'
import { nameTarget } from '../purges/mark-deleted.ts'

/**
 * Removes one batch of expired content in a workspace. The next batch starts at the returned cursor. A batch can
 * safely be repeated at any point. Throws Unavailable, and the signal's reason on abort.
 */
export type RemoveExpired = (workspaceId: string, cursor: RetentionCursor, signal: AbortSignal) => Promise<ExpiryBatch>

export interface RetentionDeps extends ResourceRemovalDeps {
  temporal: Temporal
  publisher: Pick<JobPublisher, 'deleteStream'>
  config: Pick<
    Config,
    | 'RETENTION_JOB_DAYS'
    | 'RETENTION_DELETED_DAYS'
    | 'RETENTION_THREAD_DAYS'
    | 'RETENTION_USAGE_DAYS'
    | 'RETENTION_AUDIT_DAYS'
    | 'RETENTION_FIRING_DAYS'
  >
  /** False if there is no search index. */
  hasIndex: boolean
}

const MAX_ROWS = 5_000
const MAX_HEADS = 500
/** Maximum number of hashes examined per batch. */
const MAX_CONTENTS = 500
const MAX_VECTORS = 2_000

export function createRemoveExpired(deps: RetentionDeps): RemoveExpired {
  const { db, config, hasIndex } = deps

  /** Removes short rows, with many rows per statement. */
  const removeRows = (workspaceId: string, cutoffs: Cutoffs): Promise<Partial<ExpiryCounts>> =>
    db.inWorkspace(workspaceId, async tx => ({
      heads: await deleteEmptyHeads(tx, { cutoff: cutoffs.deleted, hasIndex, limit: MAX_HEADS }),
      keys: await deleteExpiredKeys(tx, MAX_ROWS),
      credentials: await deleteEndedCredentials(tx, cutoffs.deleted, MAX_ROWS),
      files: await deleteUnusedFiles(tx, cutoffs.unusedFiles, MAX_ROWS),
      usage: cutoffs.usage === null ? 0 : await deleteUsageBefore(tx, cutoffs.usage, MAX_ROWS),
      firings: await deleteFiringsBefore(tx, cutoffs.firings, MAX_ROWS),
      channel_messages: await deleteChannelMessagesBefore(tx, cutoffs.jobs, MAX_ROWS),
      notifications: await deleteNotificationsBefore(tx, cutoffs.jobs, MAX_ROWS),
      audit: cutoffs.audit === null ? 0 : await expireAudit(tx, cutoffs.audit, MAX_ROWS),
      votes: await expireVotes(tx, MAX_ROWS),
      index_entries: hasIndex ? 0 : await deleteIndexEntries(tx, MAX_ROWS),
    }))

  return async (workspaceId, cursor, signal) => {
    const cutoffs = computeCutoffs(config, Date.now())
    const trees = await removeExpiredTrees(deps, workspaceId, cutoffs, signal)
    const resources = await removeExpiredResources(deps, workspaceId, cutoffs.deleted)
    const rows = await removeRows(workspaceId, cutoffs)
    const totals = [trees.removed, resources, rows].reduce(addExpired, addExpired({}, {}))
    const isMore = trees.isMore || Object.values(totals).some(count => count > 0)
    const contents = await removeUnusedContents(db, workspaceId, cursor.contents)
    const vectors = await removeUnusedVectors(db, workspaceId, cursor.vectors)
    return {
      removed: addExpired(totals, { contents: contents.removed, vectors: vectors.removed }),
      cursor: { contents: contents.next, vectors: vectors.next },
      done: !isMore && contents.next === null && vectors.next === null,
    }
  }
}

const DAY_MS = 86_400_000

function computeCutoffs(config: RetentionDeps['config'], now: number): Cutoffs {
  const before = (days: number) => new Date(now - days * DAY_MS).toISOString()
  const orNever = (days: number | undefined) => (days === undefined ? null : before(days))
  return {
    jobs: before(config.RETENTION_JOB_DAYS),
    deleted: before(config.RETENTION_DELETED_DAYS),
    threads: orNever(config.RETENTION_THREAD_DAYS),
    usage: orNever(config.RETENTION_USAGE_DAYS),
    firings: before(config.RETENTION_FIRING_DAYS),
    unusedFiles: before(1),
    audit: orNever(config.RETENTION_AUDIT_DAYS),
  }
}

/** The number of removed items, and the start of the next batch, which is null once all items have been examined. */
interface RemovalBatch {
  removed: number
  next: string | null
}

async function removeUnusedContents(db: Database, workspaceId: string, after: string | null): Promise<RemovalBatch> {
  if (after === null) return { removed: 0, next: null }
  return db.inWorkspace(workspaceId, async tx => {
    const hashes = await listContentHashes(tx, after, MAX_CONTENTS)
    const removedCount = await deleteUnusedContents(tx, await findUnusedContents(tx, hashes))
    return { removed: removedCount, next: nextAfter(hashes, MAX_CONTENTS) }
  })
}

async function removeUnusedVectors(db: Database, workspaceId: string, after: string | null): Promise<RemovalBatch> {
  if (after === null) return { removed: 0, next: null }
  return db.inWorkspace(workspaceId, async tx => {
    const hashes = await listVectorHashes(tx, after, MAX_VECTORS)
    return { removed: await deleteUnusedVectors(tx, hashes), next: nextAfter(hashes, MAX_VECTORS) }
  })
}

const nextAfter = (hashes: string[], limit: number): string | null =>
  hashes.length < limit ? null : (hashes.at(-1) ?? null)

const MAX_RESOURCES = 25

/**
 * Removes the content of resources that were deleted before the cutoff, as a purge does. The resource heads are
 * removed later.
 */
async function removeExpiredResources(
  deps: ResourceRemovalDeps,
  workspaceId: string,
  cutoff: string,
): Promise<Partial<ExpiryCounts>> {
  const expiredResources = await deps.db.inWorkspace(workspaceId, tx => findExpiredResources(tx, cutoff, MAX_RESOURCES))
  if (expiredResources.length === 0) return {}
  const ids = expiredResources.map(({ id }) => id)
  const counts = await purgeResources(deps, workspaceId, ids, tx => auditAll(tx, expiredResources))
  return { resources: counts.resources ?? 0, contents: counts.contents ?? 0 }
}

async function auditAll(tx: Tx, expiredResources: ExpiredResource[]): Promise<void> {
  for (const { id, kind, brain_id } of expiredResources) {
    const action = `${nameTarget({ type: kind, id })}.expire` as const
    await writeAudit(tx, RETENTION, { action, target: id, brain_id })
  }
}
