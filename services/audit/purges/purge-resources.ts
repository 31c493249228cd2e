import type { Database, Tx } from '../../../data/shared/database.ts'
import {
  deleteChunks,
  deleteMeetingAudio,
  deleteVersions,
  emptyResources,
  lockResources,
  redactEvents,
} from '../../../data/audit/resource-purge-store.ts'
import { deleteFiringsOf } from '../../../data/triggers/trigger-firings-store.ts'
import type { RemovalCounts } from '../../../domain/audit/purge.ts'
import type { RemoveEvents } from '../../../streams/event-removal.ts'

/** Low, because a version or recording can contain many megabytes. */
const MAX_CONTENTS = 50
const MAX_CHUNKS = 5_000
/** Low, because an event can contain a megabyte. */
const MAX_FIRINGS = 500

export interface ResourceRemovalDeps {
  db: Database
  removeEvents: RemoveEvents
}

/**
 * Removes a batch of resource versions, recordings, chunks and published events. The last batch also clears the
 * resource heads and calls `conclude` in the same transaction. Throws Unavailable.
 */
export async function purgeResources(
  { db, removeEvents }: ResourceRemovalDeps,
  workspaceId: string,
  ids: string[],
  conclude: (tx: Tx) => Promise<void> = () => Promise.resolve(),
): Promise<Partial<RemovalCounts>> {
  await removeEvents(workspaceId, ids)
  return db.inWorkspace(workspaceId, async tx => {
    await lockResources(tx, ids)
    const chunks = await deleteChunks(tx, ids, MAX_CHUNKS)
    const { versions, contents } = await deleteVersions(tx, ids, MAX_CONTENTS)
    const audio = await deleteMeetingAudio(tx, ids, MAX_CONTENTS)
    const firings = await deleteFiringsOf(tx, ids, MAX_FIRINGS)
    const counts = { chunks, versions, pieces: audio.pieces, contents: contents + audio.contents, firings }
    if (versions === MAX_CONTENTS || audio.pieces === MAX_CONTENTS || chunks === MAX_CHUNKS || firings === MAX_FIRINGS)
      return counts
    await emptyResources(tx, ids)
    await redactEvents(tx, ids)
    await conclude(tx)
    return { ...counts, resources: ids.length }
  })
}
