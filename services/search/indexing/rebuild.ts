import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Database } from '../../../data/shared/database.ts'
import { listWorkspaceIds } from '../../../data/search/search-outbox-store.ts'
import {
  enqueueResources,
  enqueueSince,
  listHeadsAfter,
  takeRevision,
} from '../../../data/search/search-state-store.ts'
import { Unavailable } from '../../../domain/shared/errors.ts'
import type { SearchIndex } from '../../../search/index/search-index.ts'
import type { HeadWriter } from './writing.ts'

export interface RebuildResult {
  index: string
  resources: number
  /** Number of resources that the new index rejected. They are retried. */
  refused: number
}

interface Deps {
  db: Database
  index: SearchIndex
  write: HeadWriter
  log: Logger
}

const MAX_BATCH_HEADS = 200
/**
 * Each round writes the changes made during the previous round. The index is swapped once no more than this number of
 * changes remain.
 */
const MAX_REMAINING_HEADS = 200
const MAX_ROUNDS = 20

/**
 * Maximum number of attempts to find a moment without concurrent resource changes. No transaction lasts longer than
 * all attempts together.
 */
const MAX_REVISION_ATTEMPTS = 60
const REVISION_INTERVAL_MS = 500

/**
 * Builds a new index from Postgres and replaces the live index in one step, so that searches never fail. The indexer
 * writes the changes made during the last round.
 */
export async function rebuild({ db, index, write, log }: Deps, signal: AbortSignal): Promise<RebuildResult> {
  /** The ids that the new index rejected, by workspace. */
  const refused = new Map<string, Set<string>>()

  async function indexWorkspace(workspaceId: string, after: number, target: string): Promise<number> {
    for (let writtenCount = 0, reached = after; ;) {
      const heads = await db.inWorkspace(workspaceId, tx => listHeadsAfter(tx, reached, MAX_BATCH_HEADS))
      const last = heads.at(-1)
      if (!last) return writtenCount
      const outcomes = await write(heads, { target, signal })
      const failed = outcomes.find(({ done, isRefused }) => !done && !isRefused)
      if (failed) throw new Error(`${failed.id} could not be written: ${failed.reason}`)
      for (const { id, done, reason } of outcomes) {
        if (done) refused.get(workspaceId)?.delete(id)
        else {
          log.warn({ resource_id: id, reason }, 'indexing a resource failed; retrying')
          refused.set(workspaceId, (refused.get(workspaceId) ?? new Set()).add(id))
        }
      }
      reached = last.revision
      writtenCount += heads.length
    }
  }

  /** Returns the number of resources written, and the revision below which the new index contains all changes. */
  async function fill(target: string): Promise<{ resources: number; covered: number }> {
    for (let round = 1, resources = 0, covered = 0; ; round++) {
      const revision = await takeRevisionWhenPossible(db, signal)
      let writtenCount = 0
      for (const workspaceId of await db.system(tx => listWorkspaceIds(tx)))
        writtenCount += await indexWorkspace(workspaceId, covered, target)
      log.info({ round, resources: writtenCount }, 'rebuilding the search index')
      resources += writtenCount
      covered = revision
      if (writtenCount <= MAX_REMAINING_HEADS || round === MAX_ROUNDS) return { resources, covered }
    }
  }

  /**
   * Enqueues rejected resources and resources that changed in the meantime, because the indexer may have written them
   * to the old index.
   */
  async function catchUp(covered: number): Promise<void> {
    for (const workspaceId of await db.system(tx => listWorkspaceIds(tx)))
      await db.inWorkspace(workspaceId, tx => enqueueSince(tx, covered))
    for (const [workspaceId, ids] of refused) await db.inWorkspace(workspaceId, tx => enqueueResources(tx, [...ids]))
  }

  const former = await index.live()
  const target = await index.createTarget()
  try {
    const { resources, covered } = await fill(target)
    await index.swapAlias(former, target)
    await catchUp(covered)
    if (former !== undefined) await index.dropIndex(former)
    const refusals = [...refused.values()].reduce((sum, { size }) => sum + size, 0)
    return { index: target, resources: resources - refusals, refused: refusals }
  } catch (error) {
    if ((await index.live().catch(() => target)) !== target) await index.dropIndex(target).catch(() => undefined)
    throw error
  }
}

async function takeRevisionWhenPossible(db: Database, signal: AbortSignal): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.system(tx => takeRevision(tx))
    } catch (error) {
      if (!(error instanceof Unavailable) || attempt === MAX_REVISION_ATTEMPTS) throw error
    }
    await sleep(REVISION_INTERVAL_MS, undefined, { signal })
  }
}
