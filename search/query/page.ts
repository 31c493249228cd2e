import type { estypes } from '@elastic/elasticsearch'
import { toResourceId } from '../indexed-resource.ts'
import { renderHighlight, buildHighlight } from './highlight.ts'
import type { Match, MatchedChunk } from './search-query.ts'

/** The fields of a match except its score and ranks. */
export type FoundResource = Omit<Match, 'score' | 'ranks'>

/** The fields that are read from a part. */
export interface PageFields {
  kind: string
  slug: string
  title: string
  path: string
  version: number
  metadata?: Match['metadata']
}

/** A query for the best chunks of parts that were found. */
interface PageQuery {
  parts: string[]
  workspace_id: string
  text: string
}

type PageHit = estypes.SearchHit<PageFields>
type PageRequest = Pick<estypes.SearchRequest, 'size' | 'query' | 'knn' | '_source'>

const FIELDS: (keyof PageFields)[] = ['kind', 'slug', 'title', 'path', 'version', 'metadata']
/** This number of candidates makes the comparison exact, so that the best chunk of these few parts is found. */
const EXACT_CANDIDATES = 10_000

/** Builds the request for parts with the chunk of most words, or the first chunk when only the title matches. */
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

/** Builds the request for parts with the chunk that is nearest in meaning. */
export function buildSemanticPageRequest({ parts, workspace_id, text }: PageQuery, vector: Float32Array): PageRequest {
  return {
    size: parts.length,
    _source: FIELDS,
    // This query includes parts without a vector.
    query: { bool: { filter: buildPartsFilter(parts, workspace_id) } },
    knn: {
      field: 'chunks.vector',
      query_vector: Array.from(vector),
      k: parts.length,
      num_candidates: EXACT_CANDIDATES,
      filter: buildPartsFilter(parts, workspace_id),
      inner_hits: buildInnerHits(text),
    },
  }
}

const buildPartsFilter = (parts: string[], workspace_id: string): estypes.QueryDslQueryContainer[] => [
  { term: { workspace_id } },
  { ids: { values: parts } },
]

/** Reads the stored fields of a chunk, not its part. */
const buildInnerHits = (text: string): estypes.SearchInnerHits => ({
  size: 1,
  _source: false,
  stored_fields: ['chunks.text', 'chunks.heading'],
  docvalue_fields: ['chunks.ordinal'],
  highlight: buildHighlight(text),
})

/** Returns the resources of the hits by id. A resource that was removed in the meantime is missing. */
export const readPage = (hits: PageHit[]): Map<string, FoundResource> =>
  new Map(hits.flatMap(toFoundResource).map(shown => [shown.resource_id, shown]))

function toFoundResource({ _id = '', _source, inner_hits }: PageHit): FoundResource[] {
  if (!_source) return []
  const { kind, slug, title, path, version, metadata = {} } = _source
  const chunk = inner_hits?.['chunks']?.hits.hits[0]
  const resource_id = toResourceId(_id)
  return [
    {
      resource_id,
      type: kind,
      slug,
      title,
      path,
      version,
      metadata,
      chunk: chunk ? toMatchedChunk(`${resource_id}:${version}`, chunk) : null,
    },
  ]
}

/** The ordinals of chunks are unique within a version. */
function toMatchedChunk(versionId: string, { fields, highlight }: estypes.SearchHit): MatchedChunk {
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
