import type { estypes } from '@elastic/elasticsearch'
import { Unavailable } from '../../domain/errors.ts'
import { ElasticsearchUnavailable } from '../elasticsearch.ts'
import type { Elasticsearch } from '../elasticsearch.ts'

/** Gives the hits of a search in the live index. Throws Unavailable, or the signal's reason. */
export type ExecuteSearch = <T>(request: estypes.SearchRequest, signal: AbortSignal) => Promise<estypes.SearchHit<T>[]>

/** How long Elasticsearch may take for one request, with the way there. */
const TIMEOUT_MS = 3_000
/** An answer of some shards, or of what could be done in time, would look like one of all. */
const COMPLETE_RESULTS = { allow_partial_search_results: false, timeout: '2s', track_total_hits: false }

export function createExecuteSearch(elasticsearch: Elasticsearch, index: string): ExecuteSearch {
  const executeOnce: ExecuteSearch = async <T>(request: estypes.SearchRequest, signal: AbortSignal) => {
    const reply = await elasticsearch.call(
      (client, options) => client.search<T>({ index, ...COMPLETE_RESULTS, ...request }, options),
      { timeoutMs: TIMEOUT_MS, signal },
    )
    if (reply.timed_out || reply._shards.failed > 0) throw new Unavailable('The search timed out')
    return reply.hits.hits
  }
  /** Asks again once: a search may have begun on an index that was replaced and dropped before it was done. */
  return <T>(request: estypes.SearchRequest, signal: AbortSignal) =>
    executeOnce<T>(request, signal).catch((error: unknown) => {
      if (error instanceof ElasticsearchUnavailable && error.isTransient) return executeOnce<T>(request, signal)
      throw error
    })
}
