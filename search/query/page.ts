import type { estypes } from '@elastic/elasticsearch'
import { fuse } from '../fusion.ts'
import type { Candidate } from '../fusion.ts'
import { resourceOf } from '../indexed-resource.ts'
import { cosineOf } from './arms.ts'
import { highlighted, passagesOf } from './highlight.ts'
import { keywordsOf } from './query-text.ts'
import type { Match, MatchedChunk } from './search-query.ts'

/** What is shown of a resource, beside its place in the list. */
export type Shown = Omit<Match, 'score' | 'ranks'>

/** What is read of a part. */
export interface PageFields {
  kind: string
  slug: string
  title: string
  path: string
  version: number
}

interface Wanted {
  /** Ids of the parts by which the resources of the page were found. */
  parts: string[]
  workspace_id: string
  text: string
  /** Whether chunks are looked for by the words of the text. */
  byKeyword: boolean
  /** Null: they are not looked for by meaning. */
  vector: Float32Array | null
}

type PageHit = estypes.SearchHit<PageFields>
type PageRequest = Pick<estypes.SearchRequest, 'size' | 'query' | 'knn' | '_source'>

const FIELDS: (keyof PageFields)[] = ['kind', 'slug', 'title', 'path', 'version']
/** How many chunks per arm and part are compared, where both arms have a say in which one is shown. */
const COMPARED = 3
/** So many vectors are compared one by one rather than by way of the graph: of these few parts the best is found. */
const EXACT = 10_000

/** Of a chunk is read what was stored for it alone. */
const CHUNK: estypes.SearchInnerHits = {
  _source: false,
  stored_fields: ['chunks.text', 'chunks.heading'],
  docvalue_fields: ['chunks.ordinal'],
}

/**
 * Asks for what is shown of some parts, with their best chunks: one request per arm, to be sent at once. Passages are
 * found for the chunks of one arm only, since that is half of the work: for those that have the words, where these were
 * looked for.
 */
export function pageRequests(wanted: Wanted): PageRequest[] {
  const { parts, workspace_id, text, byKeyword, vector } = wanted
  const page = {
    size: parts.length,
    _source: FIELDS,
    filter: [{ term: { workspace_id } }, { ids: { values: parts } }],
    chunk: { ...CHUNK, size: byKeyword && vector ? COMPARED : 1 },
  }
  return [byKeyword ? wordsOf(page, text) : [], vector ? meaningOf(page, vector, byKeyword ? null : text) : []].flat()
}

interface Page {
  size: number
  _source: string[]
  filter: estypes.QueryDslQueryContainer[]
  chunk: estypes.SearchInnerHits
}

function wordsOf({ size, _source, filter, chunk }: Page, text: string): PageRequest {
  const inner_hits = { name: 'keyword', ...chunk, highlight: passagesOf(text) }
  const query = { match: { 'chunks.text': { query: keywordsOf(text) } } }
  return { size, _source, query: { bool: { filter, should: [{ nested: { path: 'chunks', query, inner_hits } }] } } }
}

function meaningOf({ size, _source, filter, chunk }: Page, vector: Float32Array, marked: string | null): PageRequest {
  const inner_hits = { name: 'semantic', ...chunk, ...(marked !== null && { highlight: passagesOf(marked) }) }
  const query_vector = Array.from(vector)
  return {
    size,
    _source,
    knn: { field: 'chunks.vector', query_vector, k: size, num_candidates: EXACT, filter, inner_hits },
  }
}

/** What is shown of each resource. One that was removed meanwhile is missing. */
export function readPage(hits: PageHit[]): Map<string, Shown> {
  const byResource = Map.groupBy(hits, ({ _id = '' }) => resourceOf(_id))
  const shown = [...byResource].flatMap(([id, parts]) => shownOf(id, parts))
  return new Map(shown.map(each => [each.resource_id, each]))
}

function shownOf(resource_id: string, parts: PageHit[]): Shown[] {
  const [first] = parts
  if (!first?._source) return []
  const { kind, slug, title, path, version } = first._source
  return [{ resource_id, type: kind, slug, title, path, version, chunk: bestChunk(parts) }]
}

/** The chunk that is best by the rule that resources are put in order by. */
function bestChunk(parts: PageHit[]): MatchedChunk | null {
  const hitsOf = (arm: string) => parts.flatMap(({ inner_hits }) => inner_hits?.[arm]?.hits.hits ?? [])
  const [words, meaning] = [hitsOf('keyword'), hitsOf('semantic')]
  const [best] = fuse({
    keyword: { candidates: candidatesOf(words), exhausted: words.length < COMPARED },
    semantic: candidatesOf(meaning, cosineOf),
  })
  const hit = [...words, ...meaning].find(each => ordinalOf(each) === best?.id)
  return hit ? chunkOf(hit) : null
}

function candidatesOf(hits: estypes.SearchHit[], scoreOf = (score: number) => score): Candidate[] {
  const candidates = hits.map(hit => ({ id: ordinalOf(hit), score: scoreOf(hit._score ?? 0) }))
  return candidates.toSorted((one, other) => other.score - one.score)
}

function chunkOf(hit: estypes.SearchHit): MatchedChunk {
  const text = String(valueOf(hit, 'chunks.text'))
  const heading = valueOf(hit, 'chunks.heading')
  return {
    ordinal: Number(ordinalOf(hit)),
    heading: typeof heading === 'string' ? heading : null,
    text,
    highlight: highlighted(text, hit.highlight?.['chunks.text']),
  }
}

const ordinalOf = (hit: estypes.SearchHit): string => String(valueOf(hit, 'chunks.ordinal'))

const valueOf = ({ fields }: estypes.SearchHit, name: string): unknown => (fields?.[name] as unknown[] | undefined)?.[0]
