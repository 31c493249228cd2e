import type { estypes } from '@elastic/elasticsearch'

/** A request for the best parts, without their fields. */
type PartRequest = Pick<estypes.SearchRequest, 'query' | 'knn' | 'size' | '_source'>
type Filter = estypes.QueryDslQueryContainer[]

/** Candidates of the graph search beyond the requested number. */
const EXTRA_CANDIDATES = 128
/**
 * The graph search uses vectors of one byte per dimension. Its results are rescored with the original vectors, and no
 * more than these are read (by default three times as many).
 */
export const RESCORE = { oversample: 1 }

/** The weight of the title's own score. Weights were measured, see docs/adr. */
const TITLE_WEIGHT = 0.5

/**
 * Builds the request for the parts that match the words best. The fields are scored as one text, since titles mostly
 * repeat words of the text and slugs those of the title. Words of the title count a little more.
 */
export function buildKeywordRequest(text: string, filter: Filter, size: number): PartRequest {
  const must: Filter = [{ combined_fields: { query: text, fields: ['text', 'title^2', 'slug'] } }]
  const should: Filter = [{ match: { title: { query: text, boost: TITLE_WEIGHT } } }]
  return { size, _source: false, query: { bool: { filter, must, should } } }
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
    rescore_vector: RESCORE,
    filter,
  },
})
