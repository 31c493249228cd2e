import { Unavailable } from '../domain/shared/errors.ts'
import type { Elasticsearch } from './elasticsearch.ts'
import type { IndexWriter } from './index-writer.ts'
import { buildAlias } from './index/names.ts'
import { buildVersionedPrefix, parseResourceId } from './indexed-resource.ts'

const TIMEOUT_MS = 30_000
const PAGE = 1_000
const MAX_PAGES = 10_000

interface Deps {
  elasticsearch: Elasticsearch
  prefix: string
  write: IndexWriter['write']
}

/**
 * Creates a function that removes all chunks of a resource from a version index. The given revision blocks older
 * writes. The function throws Unavailable, and can then be called again.
 */
export function createResourceRemover({ elasticsearch, prefix, write }: Deps) {
  const index = buildAlias(prefix)
  const limits = { timeoutMs: TIMEOUT_MS }

  /** Returns the ids of the resource's chunks that are visible after a refresh. */
  async function findChunks(resourceId: string): Promise<string[]> {
    await elasticsearch.call((client, options) => client.indices.refresh({ index }, options), limits)
    const query = { prefix: { resource_id: buildVersionedPrefix(resourceId) } }
    const request = { index, query, size: PAGE, _source: false, track_total_hits: false }
    const { hits } = await elasticsearch.call((client, options) => client.search(request, options), limits)
    return hits.hits.map(({ _id = '' }) => parseResourceId(_id))
  }

  return async (resourceId: string, revision: number): Promise<void> => {
    for (let page = 0; page < MAX_PAGES; page++) {
      const chunkIds = await findChunks(resourceId)
      if (chunkIds.length === 0) return
      const removals = chunkIds.map(resource_id => ({
        remove: { resource_id, revision: String(revision), formerParts: 1 },
      }))
      const results = await write(removals)
      if (results.some(({ ok }) => !ok)) throw new Unavailable('Elasticsearch did not remove all chunks')
    }
    throw new Unavailable('The chunks of a resource cannot be removed')
  }
}
