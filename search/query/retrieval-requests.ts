import type { estypes } from '@elastic/elasticsearch'

/** A request for the best parts, without their fields. */
type PartRequest = Pick<estypes.SearchRequest, 'query' | 'knn' | 'size' | '_source'>
type Filter = estypes.QueryDslQueryContainer[]

/** Candidates of the graph search beyond the requested number. */
const EXTRA_CANDIDATES = 128

/**
 * Builds the request for the parts that match the words best, by the sum of the field scores. A title word counts more
 * than a text word because a title is short; the slug mostly repeats the title.
 */
export function buildKeywordRequest(text: string, filter: Filter, size: number): PartRequest {
  const fields = ['text', 'title', 'slug^0.5']
  const must: Filter = [{ multi_match: { query: text, type: 'most_fields', fields } }]
  return { size, _source: false, query: { bool: { filter, must } } }
}

/** Builds the request for the parts with the nearest chunk. */
export const buildSemanticRequest = (vector: Float32Array, filter: Filter, size: number): PartRequest => ({
  size,
  _source: false,
  knn: {
    field: 'chunks.vector',
    query_vector: Array.from(vector),
    k: size,
    num_candidates: size + EXTRA_CANDIDATES,
    // The graph search uses vectors of one byte per dimension. Its results are rescored with the original vectors.
    rescore_vector: { oversample: 1 },
    filter,
  },
})
