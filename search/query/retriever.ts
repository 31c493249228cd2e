import type { estypes } from '@elastic/elasticsearch'
import type { Embedder, EmbedOptions } from '../embedding/embedder.ts'
import type { RetrievedList } from '../fusion.ts'
import { toResourceId } from '../indexed-resource.ts'
import { buildKeywordRequest, buildSemanticRequest } from './retrieval-requests.ts'
import type { ExecuteSearch } from './execute-search.ts'
import type { SearchMode } from './search-query.ts'

/** What an arm found, and by which part each resource was found. */
export interface Retrieved extends RetrievedList {
  parts: Map<string, string>
}

export interface RetrievalResult {
  keyword: Retrieved
  semantic: Retrieved
  /** Of the query; null where it was not looked for by meaning. */
  vector: Float32Array | null
}

interface RetrievalQuery {
  mode: SearchMode
  text: string
  filter: estypes.QueryDslQueryContainer[]
  signal: AbortSignal
  onUsage?: EmbedOptions['onUsage']
}

/** How many resources an arm finds at most. Fixed, so that no page changes the order. */
const MAX_CANDIDATES = 100
/** How many parts are asked for at first: most resources have one. */
const INITIAL_PARTS = 128
/** More parts of a single resource than this before the others may hide these. */
const MAX_PARTS = 2_048

const NOT_RETRIEVED: Retrieved = { candidates: [], isComplete: true, parts: new Map() }

/** Finds by words, by meaning, or by both at once: the keyword query is on its way while the text is being embedded. */
export function createRetriever(
  executeSearch: ExecuteSearch,
  embed: Embedder['embed'],
): (sought: RetrievalQuery) => Promise<RetrievalResult> {
  const retrieveByKeyword = ({ text, filter, signal }: RetrievalQuery) =>
    retrieve(size => executeSearch(buildKeywordRequest(text, filter, size), signal))

  async function retrieveSemantically({
    text,
    filter,
    signal,
    onUsage,
  }: RetrievalQuery): Promise<Pick<RetrievalResult, 'semantic' | 'vector'>> {
    const [vector] = await embed([text], { signal, onUsage })
    if (!vector) throw new Error('The embedder gave no vector')
    const found = await retrieve(size => executeSearch(buildSemanticRequest(vector, filter, size), signal))
    const candidates = found.candidates.map(({ id, score }) => ({ id, score: toCosine(score) }))
    return { semantic: { ...found, candidates }, vector }
  }

  return async query => {
    const [keyword, rest] = await Promise.all([
      query.mode === 'semantic' ? NOT_RETRIEVED : retrieveByKeyword(query),
      query.mode === 'keyword' ? { semantic: NOT_RETRIEVED, vector: null } : retrieveSemantically(query),
    ])
    return { keyword, ...rest }
  }
}

/** The score that Elasticsearch makes of a cosine is (1 + cosine) / 2. */
const toCosine = (score: number): number => 2 * score - 1

/** Asks for parts until they are of enough resources, or there are no more. */
async function retrieve(search: (size: number) => Promise<estypes.SearchHit[]>): Promise<Retrieved> {
  for (let size = INITIAL_PARTS; ; size *= 4) {
    const hits = await search(size)
    const exhausted = hits.length < size
    const best = findBestParts(hits)
    if (best.size < MAX_CANDIDATES && !exhausted && size < MAX_PARTS) continue
    const chosen = [...best].slice(0, MAX_CANDIDATES)
    return {
      candidates: chosen.map(([id, { _score }]) => ({ id, score: _score ?? 0 })),
      isComplete: exhausted && best.size <= MAX_CANDIDATES,
      parts: new Map(chosen.map(([id, { _id = '' }]) => [id, _id])),
    }
  }
}

/** The best part of each resource, from hits in order. */
function findBestParts(hits: estypes.SearchHit[]): Map<string, estypes.SearchHit> {
  const best = new Map<string, estypes.SearchHit>()
  for (const hit of hits) {
    const id = toResourceId(hit._id ?? '')
    if (!best.has(id)) best.set(id, hit)
  }
  return best
}
