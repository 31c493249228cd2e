import type { estypes } from '@elastic/elasticsearch'
import { Unavailable } from '../../domain/shared/errors.ts'
import { ElasticsearchUnavailable } from '../elasticsearch.ts'
import type { Elasticsearch } from '../elasticsearch.ts'

/**
 * Returns the hits for a search of the live index. Throws Unavailable, or the signal's reason when the signal aborts.
 */
export type ExecuteSearch = <T>(request: estypes.SearchRequest, signal: AbortSignal) => Promise<estypes.SearchHit<T>[]>

/** Time limit for a request, including network time. */
const TIMEOUT_MS = 3_000
/** Partial results are rejected, because they look like complete results. */
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
  /** Retries once, because the index may be replaced and dropped during a search. */
  return <T>(request: estypes.SearchRequest, signal: AbortSignal) =>
    executeOnce<T>(request, signal).catch((error: unknown) => {
      if (error instanceof ElasticsearchUnavailable && error.isTransient) return executeOnce<T>(request, signal)
      throw error
    })
}
