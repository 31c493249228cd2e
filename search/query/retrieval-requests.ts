import type { estypes } from '@elastic/elasticsearch'
import { limitKeywords } from './query-text.ts'

/** A request for the best parts, without what they hold. */
type PartRequest = Pick<estypes.SearchRequest, 'query' | 'knn' | 'size' | '_source'>
type Filter = estypes.QueryDslQueryContainer[]

/** How many more vectors the walk through the graph keeps in sight than are asked for. */
const EXTRA_CANDIDATES = 128

/**
 * The parts whose words fit best. The scores of the fields are added up: a word of the title counts for itself and, since
 * a title is short, for more than one of the text. The slug mostly repeats the title.
 */
export function buildKeywordRequest(text: string, filter: Filter, size: number): PartRequest {
  const fields = ['text', 'title', 'slug^0.5']
  const must: Filter = [{ multi_match: { query: limitKeywords(text), type: 'most_fields', fields } }]
  return { size, _source: false, query: { bool: { filter, must } } }
}

/** The parts with the nearest chunk. */
export const buildSemanticRequest = (vector: Float32Array, filter: Filter, size: number): PartRequest => ({
  size,
  _source: false,
  knn: {
    field: 'chunks.vector',
    query_vector: Array.from(vector),
    k: size,
    num_candidates: size + EXTRA_CANDIDATES,
    // The graph is walked by vectors of one byte a dimension; what it leads to is compared as it was given.
    rescore_vector: { oversample: 1 },
    filter,
  },
})
