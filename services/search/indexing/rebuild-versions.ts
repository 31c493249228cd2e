import type { Logger } from 'pino'
import type { Database } from '../../../data/shared/database.ts'
import { listWorkspaceIds } from '../../../data/search/search-outbox-store.ts'
import { findIndexedHeads } from '../../../data/search/search-state-store.ts'
import { enqueueUncovered, listLiveIdsAfter } from '../../../data/search/version-search-store.ts'
import { VERSIONED_KINDS } from '../../../domain/resources/kinds/index.ts'
import type { VersionIndex } from '../../../search/search.ts'
import type { VersionWriter } from './versions.ts'

interface Deps {
  db: Database
  index: VersionIndex
  write: VersionWriter
  log: Logger
}

/** Number of resources per page. Resources are written one by one. */
const MAX_BATCH_HEADS = 200

/**
 * Builds a new version index and replaces the live index in one step. The indexer writes the changes made in the
 * meantime.
 */
export async function rebuildVersions({ db, index, write, log }: Deps, signal: AbortSignal): Promise<void> {
  async function fillWorkspace(workspaceId: string, target: string): Promise<number> {
    for (let writtenCount = 0, revision = 0; ;) {
      const page = { kinds: VERSIONED_KINDS, revision, limit: MAX_BATCH_HEADS }
      const heads = await db.inWorkspace(workspaceId, tx => listLiveIdsAfter(tx, page))
      const last = heads.at(-1)
      if (!last) return writtenCount
      for (const { id } of heads) {
        signal.throwIfAborted()
        const refused = await write(await db.inWorkspace(workspaceId, tx => findIndexedHeads(tx, [id])), {
          signal,
          target,
        })
        for (const { reason } of refused) log.warn({ resource_id: id, reason }, 'indexing a resource failed; retrying')
      }
      revision = last.revision
      writtenCount += heads.length
    }
  }

  const former = await index.live()
  const target = await index.createTarget()
  try {
    let resources = 0
    for (const id of await db.system(tx => listWorkspaceIds(tx))) resources += await fillWorkspace(id, target)
    await index.swapAlias(former, target)
    log.info({ resources }, 'rebuilt the version index')
    for (const id of await db.system(tx => listWorkspaceIds(tx)))
      await db.inWorkspace(id, tx => enqueueUncovered(tx, VERSIONED_KINDS, target))
    if (former !== undefined) await index.dropIndex(former)
  } catch (error) {
    if ((await index.live().catch(() => target)) !== target) await index.dropIndex(target).catch(() => undefined)
    throw error
  }
}
