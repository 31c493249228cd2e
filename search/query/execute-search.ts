import type { estypes } from '@elastic/elasticsearch'
import { Unavailable } from '../../domain/shared/errors.ts'
import { ElasticsearchUnavailable } from '../elasticsearch.ts'
import type { Elasticsearch } from '../elasticsearch.ts'

/**
 * Returns the hits for a search of the live index. Throws Unavailable, or the signal's reason when the signal aborts.
 */
export type ExecuteSearch = <T>(request: estypes.SearchRequest, signal: AbortSignal) => Promise<estypes.SearchHit<T>[]>

/** Partial results are rejected, because they look like complete results. */
const COMPLETE_RESULTS = { allow_partial_search_results: false, track_total_hits: false }
/** Elasticsearch stops a search this long before the time limit, and can then still respond. */
const RESPONSE_MS = 1_000

export function createExecuteSearch(elasticsearch: Elasticsearch, index: string): ExecuteSearch {
  const timeoutMs = elasticsearch.readTimeoutMs
  const limits = { ...COMPLETE_RESULTS, timeout: `${timeoutMs - RESPONSE_MS}ms` }
  const executeOnce: ExecuteSearch = async <T>(request: estypes.SearchRequest, signal: AbortSignal) => {
    const reply = await elasticsearch.call(
      (client, options) => client.search<T>({ index, ...limits, ...request }, options),
      { timeoutMs, signal },
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
