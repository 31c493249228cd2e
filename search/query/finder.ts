import type { estypes } from '@elastic/elasticsearch'
import type { Embedder, EmbedOptions } from '../embedding/embedder.ts'
import type { KeywordArm } from '../fusion.ts'
import { resourceOf } from '../indexed-resource.ts'
import { keywordRequest, semanticRequest } from './arms.ts'
import type { Ask } from './ask.ts'
import type { SearchMode } from './search-query.ts'

/** What an arm found, and by which part each resource was found. */
export interface Found extends KeywordArm {
  parts: Map<string, string>
}

export interface FoundByBoth {
  keyword: Found
  semantic: Found
  /** Of the query; null where it was not looked for by meaning. */
  vector: Float32Array | null
}

interface Sought {
  mode: SearchMode
  text: string
  filter: estypes.QueryDslQueryContainer[]
  signal: AbortSignal
  onUsage?: EmbedOptions['onUsage']
}

/** How many resources an arm finds at most. Fixed, so that no page changes the order. */
const DEPTH = 100
/** How many parts are asked for at first: most resources have one. */
const FIRST = 128
/** More parts of a single resource than this before the others may hide these. */
const LAST = 2_048

const NOTHING: Found = { candidates: [], exhausted: true, parts: new Map() }

/** Finds by words, by meaning, or by both at once: the keyword query is on its way while the text is being embedded. */
export function createFinder(ask: Ask, embed: Embedder['embed']): (sought: Sought) => Promise<FoundByBoth> {
  const byKeyword = ({ text, filter, signal }: Sought) => find(size => ask(keywordRequest(text, filter, size), signal))

  async function bySemantics({
    text,
    filter,
    signal,
    onUsage,
  }: Sought): Promise<Pick<FoundByBoth, 'semantic' | 'vector'>> {
    const [vector] = await embed([text], { signal, onUsage })
    if (!vector) throw new Error('The embedder gave no vector')
    const found = await find(size => ask(semanticRequest(vector, filter, size), signal))
    const candidates = found.candidates.map(({ id, score }) => ({ id, score: cosineOf(score) }))
    return { semantic: { ...found, candidates }, vector }
  }

  return async sought => {
    const [keyword, rest] = await Promise.all([
      sought.mode === 'semantic' ? NOTHING : byKeyword(sought),
      sought.mode === 'keyword' ? { semantic: NOTHING, vector: null } : bySemantics(sought),
    ])
    return { keyword, ...rest }
  }
}

/** The score that Elasticsearch makes of a cosine is (1 + cosine) / 2. */
const cosineOf = (score: number): number => 2 * score - 1

/** Asks for parts until they are of enough resources, or there are no more. */
async function find(ask: (size: number) => Promise<estypes.SearchHit[]>): Promise<Found> {
  for (let size = FIRST; ; size *= 4) {
    const hits = await ask(size)
    const exhausted = hits.length < size
    const best = bestPartsOf(hits)
    if (best.size < DEPTH && !exhausted && size < LAST) continue
    const chosen = [...best].slice(0, DEPTH)
    return {
      candidates: chosen.map(([id, { _score }]) => ({ id, score: _score ?? 0 })),
      exhausted: exhausted && best.size <= DEPTH,
      parts: new Map(chosen.map(([id, { _id = '' }]) => [id, _id])),
    }
  }
}

/** The best part of each resource, from hits in order. */
function bestPartsOf(hits: estypes.SearchHit[]): Map<string, estypes.SearchHit> {
  const best = new Map<string, estypes.SearchHit>()
  for (const hit of hits) {
    const id = resourceOf(hit._id ?? '')
    if (!best.has(id)) best.set(id, hit)
  }
  return best
}
