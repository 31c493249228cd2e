import type { estypes } from '@elastic/elasticsearch'
import type { KeywordArm } from '../fusion.ts'
import { resourceOf } from '../indexed-resource.ts'
import { keywordsOf } from './query-text.ts'

/** A request for the best parts, without what they hold. */
type PartRequest = Pick<estypes.SearchRequest, 'query' | 'knn' | 'size'>

export interface Hit {
  /** Of a part. */
  id: string
  score: number
}

/** What an arm found, and by which part each resource was found. */
export interface Found extends KeywordArm {
  parts: Map<string, string>
}

/** How many resources an arm finds at most. Fixed, so that no page changes the order. */
const DEPTH = 100
/** How many parts are asked for at first: most resources have one. */
const FIRST = 128
/** More parts of a single resource than this before the others may hide these. */
const LAST = 2_048

export const NOTHING: Found = { candidates: [], exhausted: true, parts: new Map() }

/** The parts whose words fit best: those of the whole text, of the title, which says in few words what it is about, and of the slug. */
export const keywordRequest = (text: string, filter: estypes.QueryDslQueryContainer[], size: number): PartRequest => ({
  size,
  query: {
    bool: {
      filter,
      must: { combined_fields: { query: keywordsOf(text), fields: ['title^2', 'slug', 'text'] } },
    },
  },
})

/** The parts with the nearest chunk. */
export const semanticRequest = (
  vector: Float32Array,
  filter: estypes.QueryDslQueryContainer[],
  size: number,
): PartRequest => ({
  size,
  knn: {
    field: 'chunks.vector',
    query_vector: Array.from(vector),
    k: size,
    num_candidates: size + BREADTH,
    // The graph is walked by vectors of one byte a dimension; what it leads to is compared as it was given.
    rescore_vector: { oversample: 1 },
    filter,
  },
})

/** How many more vectors the walk through the graph keeps in sight than are asked for. */
const BREADTH = 64

/** The score that Elasticsearch makes of a cosine is (1 + cosine) / 2. */
export const cosineOf = (score: number): number => 2 * score - 1

/** Asks for parts until they are of enough resources, or there are no more. */
export async function find(ask: (size: number) => Promise<Hit[]>): Promise<Found> {
  for (let size = FIRST; ; size *= 4) {
    const hits = await ask(size)
    const best = bestOfEach(hits)
    const exhausted = hits.length < size
    if (best.length >= DEPTH || exhausted || size >= LAST) {
      const chosen = best.slice(0, DEPTH)
      return {
        candidates: chosen.map(({ id, score }) => ({ id: resourceOf(id), score })),
        exhausted: exhausted && best.length <= DEPTH,
        parts: new Map(chosen.map(({ id }) => [resourceOf(id), id])),
      }
    }
  }
}

/** The best part of each resource, from hits in order. */
function bestOfEach(hits: Hit[]): Hit[] {
  const seen = new Set<string>()
  return hits.filter(({ id }) => {
    const resource = resourceOf(id)
    return !seen.has(resource) && seen.add(resource)
  })
}
