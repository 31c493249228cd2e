import type { Database } from '../../data/database.ts'
import { deleteChunks, deleteVersions, emptyResources, lockResources } from '../../data/resource-purge-store.ts'
import type { Removed } from '../../domain/purge.ts'

/** A version can have a content of many megabytes. */
const MAX_VERSIONS = 50
const MAX_CHUNKS = 5_000

/** Removes a batch of versions and chunks of resources. With the last batch it empties their heads. */
export const purgeResources = (db: Database, workspaceId: string, ids: string[]): Promise<Partial<Removed>> =>
  db.inWorkspace(workspaceId, async tx => {
    await lockResources(tx, ids)
    const chunks = await deleteChunks(tx, ids, MAX_CHUNKS)
    const { versions, contents } = await deleteVersions(tx, ids, MAX_VERSIONS)
    if (versions === MAX_VERSIONS || chunks === MAX_CHUNKS) return { chunks, versions, contents }
    await emptyResources(tx, ids)
    return { chunks, versions, contents, resources: ids.length }
  })
