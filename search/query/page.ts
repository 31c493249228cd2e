import type { estypes } from '@elastic/elasticsearch'
import { parseResourceId, parseVersionedId } from '../indexed-resource.ts'
import { renderHighlight, buildHighlight } from './highlight.ts'
import { RESCORE } from './retrieval-requests.ts'
import type { Match, MatchedChunk, SearchQuery } from './search-query.ts'

/** The fields of a match except its score and ranks. */
export type FoundResource = Omit<Match, 'score' | 'ranks'>

/** Returns the result key for a part id. */
export type ToKey = (partId: string) => string

/** When heads are searched, each result is a resource. */
export const toHeadKey: ToKey = parseResourceId

/**
 * When all versions are searched, each result is a resource version. When one version is searched, each result is a
 * resource.
 */
export function createVersionKey(versions: 'all' | number): ToKey {
  return partId => {
    const { resource_id, version } = parseVersionedId(parseResourceId(partId))
    return versions === 'all' ? `${resource_id}@${version}` : resource_id
  }
}

/** The fields that are read from a part. */
export interface PageFields {
  kind: string
  slug: string
  title: string
  path: string
  version: number
  last_version?: number
  metadata?: Match['metadata']
}

/** A query for the best chunk in each of the parts on a page. */
interface PageQuery {
  parts: string[]
  workspace_id: string
  text: string
}

export type PageHit = estypes.SearchHit<PageFields>
type PageRequest = Pick<estypes.SearchRequest, 'size' | 'query' | 'knn' | '_source'>

const FIELDS: (keyof PageFields)[] = ['kind', 'slug', 'title', 'path', 'version', 'last_version', 'metadata']
/** With this many candidates, the comparison is exact and always finds the best chunk in these few parts. */
const EXACT_CANDIDATES = 10_000

/**
 * Builds the request for parts, each with the chunk that contains the most words. If only the title matches, the
 * chunk is the first one.
 */
export function buildKeywordPageRequest({ parts, workspace_id, text }: PageQuery): PageRequest {
  const words = { match: { 'chunks.text': { query: text } } }
  const chunks = { path: 'chunks', query: { bool: { filter: { match_all: {} }, should: words } } }
  return {
    size: parts.length,
    _source: FIELDS,
    query: {
      bool: {
        filter: buildPartsFilter(parts, workspace_id),
        should: { nested: { ...chunks, inner_hits: buildInnerHits(text) } },
      },
    },
  }
}

/** Builds the request for parts, each with its semantically nearest chunk. */
export function buildSemanticPageRequest({ parts, workspace_id, text }: PageQuery, vector: Float32Array): PageRequest {
  return {
    size: parts.length,
    _source: FIELDS,
    // This query also returns parts without a vector.
    query: { bool: { filter: buildPartsFilter(parts, workspace_id) } },
    knn: {
      field: 'chunks.vector',
      query_vector: Array.from(vector),
      k: parts.length,
      num_candidates: EXACT_CANDIDATES,
      rescore_vector: RESCORE,
      filter: buildPartsFilter(parts, workspace_id),
      inner_hits: buildInnerHits(text),
    },
  }
}

const buildPartsFilter = (parts: string[], workspace_id: string): estypes.QueryDslQueryContainer[] => [
  { term: { workspace_id } },
  { ids: { values: parts } },
]

/** Reads the stored fields of a chunk without loading its part. */
const buildInnerHits = (text: string): estypes.SearchInnerHits => ({
  size: 1,
  _source: false,
  stored_fields: ['chunks.text', 'chunks.heading'],
  docvalue_fields: ['chunks.ordinal'],
  highlight: buildHighlight(text),
})

/** Returns the results for the hits, by key. Omits results that were removed in the meantime. */
export const readPage = (
  hits: PageHit[],
  query: Pick<SearchQuery, 'versions'>,
  toKey: ToKey,
): Map<string, FoundResource> =>
  new Map(
    hits.flatMap(hit => readFoundResources(hit, query).map(resource => [toKey(hit._id ?? ''), resource] as const)),
  )

function readFoundResources(
  { _id = '', _source, inner_hits }: PageHit,
  { versions }: Pick<SearchQuery, 'versions'>,
): FoundResource[] {
  if (!_source) return []
  const { kind, slug, title, path, version, last_version = null, metadata = {} } = _source
  const chunk = inner_hits?.['chunks']?.hits.hits[0]
  const { resource_id } = parseVersionedId(parseResourceId(_id))
  return [
    {
      resource_id,
      type: kind,
      slug,
      title,
      path,
      version: typeof versions === 'number' ? versions : version,
      ...(versions !== undefined && { last_version }),
      metadata,
      chunk: chunk ? readMatchedChunk(`${resource_id}:${version}`, chunk) : null,
    },
  ]
}

/** Chunk ordinals are unique within a version. */
function readMatchedChunk(versionId: string, { fields, highlight }: estypes.SearchHit): MatchedChunk {
  const first = (name: string): unknown => (fields?.[name] as unknown[] | undefined)?.[0]
  const [text, heading] = [String(first('chunks.text')), first('chunks.heading')]
  const ordinal = Number(first('chunks.ordinal'))
  return {
    id: `${versionId}:${ordinal}`,
    ordinal,
    heading: typeof heading === 'string' ? heading : null,
    text,
    highlight: renderHighlight(text, highlight?.['chunks.text']),
  }
}
