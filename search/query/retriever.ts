import type { estypes } from '@elastic/elasticsearch'
import type { Embedder, EmbedOptions } from '../embedding/embedder.ts'
import type { RetrievedList } from '../fusion.ts'
import { buildKeywordRequest, buildSemanticRequest } from './retrieval-requests.ts'
import type { ExecuteSearch } from './execute-search.ts'
import type { ToKey } from './page.ts'
import type { SearchMode } from './search-query.ts'

/** The candidates from one arm, with the part that matched for each resource. */
export interface Retrieval extends RetrievedList {
  parts: Map<string, string>
}

export interface RetrievalResult {
  keyword: Retrieval
  semantic: Retrieval
  /** The query vector. Null if the search is not semantic. */
  vector: Float32Array | null
}

interface RetrievalQuery {
  mode: SearchMode
  text: string
  filter: estypes.QueryDslQueryContainer[]
  /** Returns the result key for a part. Each candidate has a different key. */
  toKey: ToKey
  options: EmbedOptions & { signal: AbortSignal }
}

/**
 * Maximum number of resources per arm. The number is fixed, so that the order of results does not depend on the page.
 */
const MAX_CANDIDATES = 100
/** Number of parts in the first request. Most resources have one part. */
const INITIAL_PARTS = 128
/** Maximum number of parts requested. A resource with more parts than this may hide other resources. */
const MAX_PARTS = 2_048

const NOT_RETRIEVED: Retrieval = { candidates: [], isComplete: true, parts: new Map() }

/**
 * Creates the function that retrieves candidates by keyword, by meaning, or both. The keyword request runs while the
 * query is being embedded.
 */
export function createRetriever(
  executeSearch: ExecuteSearch,
  embed: Embedder['embed'],
): (sought: RetrievalQuery) => Promise<RetrievalResult> {
  const retrieveByKeyword = ({ text, filter, toKey, options }: RetrievalQuery) =>
    retrieve(size => executeSearch(buildKeywordRequest(text, filter, size), options.signal), toKey)

  async function retrieveSemantically({
    text,
    filter,
    toKey,
    options,
  }: RetrievalQuery): Promise<Pick<RetrievalResult, 'semantic' | 'vector'>> {
    const [vector] = await embed([text], options)
    if (!vector) throw new Error('The embedder returned no vector')
    const retrieval = await retrieve(
      size => executeSearch(buildSemanticRequest(vector, filter, size), options.signal),
      toKey,
    )
    const candidates = retrieval.candidates.map(({ id, score }) => ({ id, score: toCosine(score) }))
    return { semantic: { ...retrieval, candidates }, vector }
  }

  return async query => {
    const [keyword, rest] = await Promise.all([
      query.mode === 'semantic' ? NOT_RETRIEVED : retrieveByKeyword(query),
      query.mode === 'keyword' ? { semantic: NOT_RETRIEVED, vector: null } : retrieveSemantically(query),
    ])
    return { keyword, ...rest }
  }
}

/** Converts an Elasticsearch score, (1 + cosine) / 2, to a cosine. */
const toCosine = (score: number): number => 2 * score - 1

/** Requests more parts until they cover enough resources or no parts are left. */
async function retrieve(search: (size: number) => Promise<estypes.SearchHit[]>, toKey: ToKey): Promise<Retrieval> {
  for (let size = INITIAL_PARTS; ; size *= 4) {
    const hits = await search(size)
    const exhausted = hits.length < size
    const best = findBestParts(hits, toKey)
    if (best.size < MAX_CANDIDATES && !exhausted && size < MAX_PARTS) continue
    const topHits = [...best].slice(0, MAX_CANDIDATES)
    return {
      candidates: topHits.map(([id, { _score }]) => ({ id, score: _score ?? 0 })),
      isComplete: exhausted && best.size <= MAX_CANDIDATES,
      parts: new Map(topHits.map(([id, { _id = '' }]) => [id, _id])),
    }
  }
}

/** Returns the best part for each key. The hits must be ordered. */
function findBestParts(hits: estypes.SearchHit[], toKey: ToKey): Map<string, estypes.SearchHit> {
  const best = new Map<string, estypes.SearchHit>()
  for (const hit of hits) {
    const id = toKey(hit._id ?? '')
    if (!best.has(id)) best.set(id, hit)
  }
  return best
}
