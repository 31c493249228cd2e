import type { Logger } from 'pino'
import type { Database } from '../../data/database.ts'
import { listWorkspaceIds } from '../../data/search-outbox-store.ts'
import { enqueueSince, listHeadsAfter } from '../../data/search-state-store.ts'
import type { SearchIndex } from '../../search/index/search-index.ts'
import type { HeadWriter } from './writing.ts'

export interface RebuildResult {
  index: string
  resources: number
}

interface Deps {
  db: Database
  index: SearchIndex
  write: HeadWriter
  log: Logger
}

const MAX_BATCH_HEADS = 200
/** Each round writes the changes of the former one. With at most this number of changes the index is swapped. */
const MAX_REMAINING_HEADS = 200
const MAX_ROUNDS = 20

/** No transaction lives longer, so older revisions are visible. */
const MAX_TRANSACTION_MS = 30_000

type Revisions = Map<string, number>

/**
 * Builds a new index from Postgres and swaps it for the live one in one step, so that searches never fail. The indexer
 * writes the changes made during the last round.
 */
export async function rebuild({ db, index, write, log }: Deps, signal: AbortSignal): Promise<RebuildResult> {
  /** The revision up to which the new index holds all visible changes, by workspace. */
  const revisions: Revisions = new Map()
  const rounds: { at: number; reached: Revisions }[] = []

  async function indexWorkspace(workspaceId: string, target: string): Promise<number> {
    for (let written = 0; ;) {
      const after = revisions.get(workspaceId) ?? 0
      const heads = await db.inWorkspace(workspaceId, tx => listHeadsAfter(tx, after, MAX_BATCH_HEADS))
      const last = heads.at(-1)
      if (!last) return written
      const outcomes = await write(heads, { target, signal })
      const failed = outcomes.find(({ done }) => !done)
      if (failed) throw new Error(`${failed.id} could not be written: ${failed.reason}`)
      revisions.set(workspaceId, last.revision)
      written += heads.length
    }
  }

  async function fill(target: string): Promise<number> {
    for (let round = 1, resources = 0; ; round++) {
      rounds.push({ at: Date.now(), reached: new Map(revisions) })
      let written = 0
      for (const workspaceId of await db.system(tx => listWorkspaceIds(tx)))
        written += await indexWorkspace(workspaceId, target)
      log.info({ round, resources: written }, 'rebuilding the search index')
      resources += written
      if (written <= MAX_REMAINING_HEADS || round === MAX_ROUNDS) return resources
    }
  }

  /** Enqueues recent changes again, because a change may become visible after later revisions. */
  async function catchUp(): Promise<void> {
    const settled = rounds.findLast(({ at }) => at < Date.now() - MAX_TRANSACTION_MS)?.reached
    for (const workspaceId of await db.system(tx => listWorkspaceIds(tx)))
      await db.inWorkspace(workspaceId, tx => enqueueSince(tx, settled?.get(workspaceId) ?? 0))
  }

  const former = await index.live()
  const target = await index.createTarget()
  try {
    const resources = await fill(target)
    await index.swapAlias(former, target)
    await catchUp()
    if (former !== undefined) await index.dropIndex(former)
    return { index: target, resources }
  } catch (error) {
    if ((await index.live().catch(() => target)) !== target) await index.dropIndex(target).catch(() => undefined)
    throw error
  }
}
