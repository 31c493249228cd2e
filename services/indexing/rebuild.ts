import type { Logger } from 'pino'
import type { Database } from '../../data/database.ts'
import { listWorkspaceIds } from '../../data/search-outbox-store.ts'
import { enqueueAfter, listHeadsAfter } from '../../data/search-state-store.ts'
import type { SearchIndex } from '../../search/index/search-index.ts'
import type { HeadWriter } from './writing.ts'

export interface Rebuilt {
  index: string
  resources: number
}

interface Deps {
  db: Database
  index: SearchIndex
  write: HeadWriter
  log: Logger
}

const AT_ONCE = 200
/** The last rounds are about what changed during the one before; with so little left the index can be swapped. */
const FEW = 200
const MAX_ROUNDS = 20

/** No transaction lives longer, so what was given a revision before that is seen by now. */
const SETTLED_MS = 30_000

type Reached = Map<string, number>

/**
 * Builds the index anew beside the live one, from Postgres, and puts it in its place in one step: searches never fail
 * meanwhile. What changes while the last round runs is brought in by the indexer afterwards.
 */
export async function rebuild({ db, index, write, log }: Deps, signal: AbortSignal): Promise<Rebuilt> {
  /** By workspace: up to which revision the new index has everything that could be seen. */
  const reached: Reached = new Map()
  const marks: { at: number; reached: Reached }[] = []

  async function bring(workspaceId: string, target: string): Promise<number> {
    for (let written = 0; ;) {
      const after = reached.get(workspaceId) ?? 0
      const heads = await db.inWorkspace(workspaceId, tx => listHeadsAfter(tx, after, AT_ONCE))
      const last = heads.at(-1)
      if (!last) return written
      const outcomes = await write(heads, { target, signal })
      const failed = outcomes.find(({ done }) => !done)
      if (failed) throw new Error(`${failed.id} could not be written: ${failed.reason}`)
      reached.set(workspaceId, last.revision)
      written += heads.length
    }
  }

  async function fill(target: string): Promise<number> {
    for (let round = 1, resources = 0; ; round++) {
      marks.push({ at: Date.now(), reached: new Map(reached) })
      let written = 0
      for (const workspaceId of await db.system(listWorkspaceIds)) written += await bring(workspaceId, target)
      log.info({ round, resources: written }, 'rebuilding the search index')
      resources += written
      if (written <= FEW || round === MAX_ROUNDS) return resources
    }
  }

  /** A change may have been given its revision early and be seen late: it is brought in again. */
  async function catchUp(): Promise<void> {
    const settled = marks.findLast(({ at }) => at < Date.now() - SETTLED_MS)?.reached
    for (const workspaceId of await db.system(listWorkspaceIds))
      await db.inWorkspace(workspaceId, tx => enqueueAfter(tx, settled?.get(workspaceId) ?? 0))
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
