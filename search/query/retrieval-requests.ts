import type { estypes } from '@elastic/elasticsearch'

/** A request for the best parts, which returns no fields. */
type PartRequest = Pick<estypes.SearchRequest, 'query' | 'knn' | 'size' | '_source'>
type Filter = estypes.QueryDslQueryContainer[]

/** Number of candidates in the graph search beyond the requested number of results. */
const EXTRA_CANDIDATES = 128
/**
 * The graph search uses vectors with one byte per dimension. Only as many results as requested are rescored with the
 * original vectors (by default, Elasticsearch rescores three times as many).
 */
export const RESCORE = { oversample: 1 }

/** The weight of the separate title score. ADR 0015 describes how the weights were measured. */
const TITLE_WEIGHT = 0.5

/**
 * Builds the request for the parts that best match the words. The fields are scored as one text, because titles
 * mostly repeat words from the text, and slugs repeat the title. Words in the title have a slightly higher weight.
 */
export function buildKeywordRequest(text: string, filter: Filter, size: number): PartRequest {
  const must: Filter = [{ combined_fields: { query: text, fields: ['text', 'title^2', 'slug'] } }]
  const should: Filter = [{ match: { title: { query: text, boost: TITLE_WEIGHT } } }]
  return { size, _source: false, query: { bool: { filter, must, should } } }
}

/** Builds the request for the parts whose chunks are nearest to the vector. */
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
