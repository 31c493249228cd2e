import type { Elasticsearch } from '../elasticsearch.ts'
import type { Embedder, EmbedOptions } from '../embedding/embedder.ts'
import { fuse } from '../fusion.ts'
import type { Fused } from '../fusion.ts'
import { toAlias } from '../index/names.ts'
import { createExecuteSearch } from './execute-search.ts'
import { buildFilters } from './filters.ts'
import { createRetriever } from './retriever.ts'
import type { RetrievalResult } from './retriever.ts'
import { buildSemanticPageRequest, readPage, buildKeywordPageRequest } from './page.ts'
import type { PageFields, FoundResource } from './page.ts'
import { cleanQuery } from './query-text.ts'
import type { Match, SearchResult, SearchMode, SearchQuery } from './search-query.ts'

export interface Searcher {
  /**
   * Looks for resources by words, by meaning, or by both. Each arm finds at most 100 resources, so there are no more
   * than 200 matches, whatever `limit` and `offset`; past the end there are none. Throws Unavailable when Elasticsearch
   * is away, too slow, or could answer in part only; and what the embedder throws.
   */
  search(query: SearchQuery, options?: EmbedOptions): Promise<SearchResult>
}

interface Deps {
  elasticsearch: Elasticsearch
  prefix: string
  embed: Embedder['embed']
}

export function createSearcher({ elasticsearch, prefix, embed }: Deps): Searcher {
  const executeSearch = createExecuteSearch(elasticsearch, toAlias(prefix))
  const retrieve = createRetriever(executeSearch, embed)

  async function findMatches(
    query: SearchQuery,
    text: string,
    options: EmbedOptions & { signal: AbortSignal },
  ): Promise<Match[]> {
    const { mode, workspace_id, offset, limit } = query
    const retrieved = await retrieve({ mode, text, filter: buildFilters(query), ...options })
    const page = rank(mode, retrieved).slice(offset, offset + limit)
    const resources = await loadPage(page, retrieved, { workspace_id, text }, options.signal)
    return page.flatMap(({ id, score, ranks }) => {
      const resource = resources.get(id)
      return resource ? [{ ...resource, score, ranks }] : []
    })
  }

  /** What is shown of a page, with the chunk of each resource by the arm that has it higher up. */
  async function loadPage(
    page: Fused[],
    { keyword, semantic, vector }: RetrievalResult,
    target: { workspace_id: string; text: string },
    signal: AbortSignal,
  ): Promise<Map<string, FoundResource>> {
    const keywordParts = page.filter(isKeywordMatch).flatMap(({ id }) => keyword.parts.get(id) ?? [])
    const semanticParts = page.filter(each => !isKeywordMatch(each)).flatMap(({ id }) => semantic.parts.get(id) ?? [])
    const hits = await Promise.all([
      keywordParts.length > 0
        ? executeSearch<PageFields>(buildKeywordPageRequest({ ...target, parts: keywordParts }), signal)
        : [],
      vector && semanticParts.length > 0
        ? executeSearch<PageFields>(buildSemanticPageRequest({ ...target, parts: semanticParts }, vector), signal)
        : [],
    ])
    return readPage(hits.flat())
  }

  return {
    search: async (query, { signal, onUsage } = {}) => {
      const began = performance.now()
      const failed = new AbortController()
      const either = AbortSignal.any([failed.signal, ...(signal ? [signal] : [])])
      const text = cleanQuery(query.query)
      try {
        const matches = text === '' ? [] : await findMatches(query, text, { signal: either, onUsage })
        return { matches, took_ms: Math.round(performance.now() - began) }
      } catch (error) {
        // What is still on its way serves nobody.
        failed.abort()
        throw error
      }
    },
  }
}

function rank(mode: SearchMode, { keyword, semantic }: RetrievalResult): Fused[] {
  if (mode === 'hybrid') return fuse({ keyword, semantic: semantic.candidates })
  const { candidates } = mode === 'keyword' ? keyword : semantic
  return candidates.map(({ id, score }, index) => ({
    id,
    score,
    ranks: { keyword: null, semantic: null, [mode]: index + 1 },
  }))
}

/** Whether the words have a resource at least as high up as its meaning. */
const isKeywordMatch = ({ ranks }: Fused) => (ranks.keyword ?? Infinity) <= (ranks.semantic ?? Infinity)
