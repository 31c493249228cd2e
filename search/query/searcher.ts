import type { estypes } from '@elastic/elasticsearch'
import { Unavailable } from '../../domain/errors.ts'
import { ElasticsearchUnavailable } from '../elasticsearch.ts'
import type { Elasticsearch } from '../elasticsearch.ts'
import type { Embedder } from '../embedding/embedder.ts'
import { fuse } from '../fusion.ts'
import type { Fused } from '../fusion.ts'
import { aliasOf } from '../index/names.ts'
import { cosineOf, find, keywordRequest, NOTHING, semanticRequest } from './arms.ts'
import type { Found } from './arms.ts'
import { filtersOf } from './filters.ts'
import { pageRequests, readPage } from './page.ts'
import type { PageFields } from './page.ts'
import { cleaned } from './query-text.ts'
import type { Match, SearchAnswer, SearchMode, SearchQuery } from './search-query.ts'

export interface Searcher {
  /**
   * Looks for resources by words, by meaning, or by both. Each arm finds at most 100 resources, so there are no more
   * than 200 matches, whatever `limit` and `offset`; past the end there are none. Throws Unavailable when Elasticsearch
   * is away, too slow, or could answer in part only; and what the embedder throws.
   */
  search(query: SearchQuery, options?: { signal?: AbortSignal }): Promise<SearchAnswer>
}

interface Deps {
  elasticsearch: Elasticsearch
  prefix: string
  embed: Embedder['embed']
}

/** One search as it goes on. */
interface Ongoing {
  query: SearchQuery
  text: string
  filter: estypes.QueryDslQueryContainer[]
  signal: AbortSignal
}

/** How long Elasticsearch may take for one request, with the way there. */
const TIMEOUT_MS = 3_000
/** An answer of some shards, or of what could be done in time, would look like one of all. */
const WHOLE_OR_NOT = { allow_partial_search_results: false, timeout: '2s', track_total_hits: false }

export function createSearcher({ elasticsearch, prefix, embed }: Deps): Searcher {
  async function askOnce<T>(request: estypes.SearchRequest, signal: AbortSignal): Promise<estypes.SearchHit<T>[]> {
    const index = aliasOf(prefix)
    const reply = await elasticsearch.call(
      (client, options) => client.search<T>({ index, ...WHOLE_OR_NOT, ...request }, options),
      { timeoutMs: TIMEOUT_MS, signal },
    )
    if (reply.timed_out || reply._shards.failed > 0) throw new Unavailable('The search took too long')
    return reply.hits.hits
  }

  /** Asks again once: a search may have begun on an index that was replaced and dropped before it was done. */
  const ask = <T>(request: estypes.SearchRequest, signal: AbortSignal): Promise<estypes.SearchHit<T>[]> =>
    askOnce<T>(request, signal).catch((error: unknown) => {
      if (error instanceof ElasticsearchUnavailable && error.mayBePassing) return askOnce<T>(request, signal)
      throw error
    })

  const findBy = (requestOf: (size: number) => estypes.SearchRequest, signal: AbortSignal) =>
    find(async size => {
      const hits = await ask({ ...requestOf(size), _source: false }, signal)
      return hits.map(({ _id = '', _score }) => ({ id: _id, score: _score ?? 0 }))
    })

  const byKeyword = ({ text, filter, signal }: Ongoing) => findBy(size => keywordRequest(text, filter, size), signal)

  async function bySemantics({ text, filter, signal }: Ongoing): Promise<{ found: Found; vector: Float32Array }> {
    const [vector] = await embed([text], { signal })
    if (!vector) throw new Error('The embedder gave no vector')
    const found = await findBy(size => semanticRequest(vector, filter, size), signal)
    const candidates = found.candidates.map(({ id, score }) => ({ id, score: cosineOf(score) }))
    return { found: { ...found, candidates }, vector }
  }

  /** Both arms at once: the keyword query is on its way while the text is being embedded. */
  async function findAll(ongoing: Ongoing): Promise<{ keyword: Found; semantic: Found; vector: Float32Array | null }> {
    const { mode } = ongoing.query
    const [keyword, semantic] = await Promise.all([
      mode === 'semantic' ? NOTHING : byKeyword(ongoing),
      mode === 'keyword' ? { found: NOTHING, vector: null } : bySemantics(ongoing),
    ])
    return { keyword, semantic: semantic.found, vector: semantic.vector }
  }

  async function matchesOf(ongoing: Ongoing): Promise<Match[]> {
    const { query, text, signal } = ongoing
    const { keyword, semantic, vector } = await findAll(ongoing)
    const page = inOrder(query.mode, keyword, semantic).slice(query.offset, query.offset + query.limit)
    if (page.length === 0) return []
    const parts = page.flatMap(({ id }) => [keyword.parts.get(id) ?? [], semantic.parts.get(id) ?? []].flat())
    const { workspace_id, mode } = query
    const wanted = { parts: [...new Set(parts)], workspace_id, text, byKeyword: mode !== 'semantic', vector }
    const hits = await Promise.all(pageRequests(wanted).map(request => ask<PageFields>(request, signal)))
    const shown = readPage(hits.flat())
    return page.flatMap(({ id, score, ranks }) => {
      const resource = shown.get(id)
      return resource ? [{ ...resource, score, ranks }] : []
    })
  }

  return {
    search: async (query, { signal } = {}) => {
      const began = performance.now()
      const failed = new AbortController()
      const text = cleaned(query.query)
      const ongoing = {
        query,
        text,
        filter: filtersOf(query),
        signal: AbortSignal.any([failed.signal, ...(signal ? [signal] : [])]),
      }
      try {
        const matches = text === '' ? [] : await matchesOf(ongoing)
        return { matches, took_ms: Math.round(performance.now() - began) }
      } catch (error) {
        // What is still on its way serves nobody.
        failed.abort()
        throw error
      }
    },
  }
}

function inOrder(mode: SearchMode, keyword: Found, semantic: Found): Fused[] {
  if (mode === 'hybrid') return fuse({ keyword, semantic: semantic.candidates })
  const { candidates } = mode === 'keyword' ? keyword : semantic
  return candidates.map(({ id, score }, index) => ({
    id,
    score,
    ranks: { keyword: null, semantic: null, [mode]: index + 1 },
  }))
}
