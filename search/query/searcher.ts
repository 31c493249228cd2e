import type { Elasticsearch } from '../elasticsearch.ts'
import type { Embedder, EmbedOptions } from '../embedding/embedder.ts'
import { fuse } from '../fusion.ts'
import type { Fused } from '../fusion.ts'
import { aliasOf } from '../index/names.ts'
import { createAsk } from './ask.ts'
import { filtersOf } from './filters.ts'
import { createFinder } from './finder.ts'
import type { FoundByBoth } from './finder.ts'
import { meaningRequest, readPage, wordsRequest } from './page.ts'
import type { PageFields, Shown } from './page.ts'
import { cleaned } from './query-text.ts'
import type { Match, SearchAnswer, SearchMode, SearchQuery } from './search-query.ts'

export interface Searcher {
  /**
   * Looks for resources by words, by meaning, or by both. Each arm finds at most 100 resources, so there are no more
   * than 200 matches, whatever `limit` and `offset`; past the end there are none. Throws Unavailable when Elasticsearch
   * is away, too slow, or could answer in part only; and what the embedder throws.
   */
  search(query: SearchQuery, options?: EmbedOptions): Promise<SearchAnswer>
}

interface Deps {
  elasticsearch: Elasticsearch
  prefix: string
  embed: Embedder['embed']
}

export function createSearcher({ elasticsearch, prefix, embed }: Deps): Searcher {
  const ask = createAsk(elasticsearch, aliasOf(prefix))
  const find = createFinder(ask, embed)

  async function matchesOf(
    query: SearchQuery,
    text: string,
    options: EmbedOptions & { signal: AbortSignal },
  ): Promise<Match[]> {
    const { mode, workspace_id, offset, limit } = query
    const found = await find({ mode, text, filter: filtersOf(query), ...options })
    const page = inOrder(mode, found).slice(offset, offset + limit)
    const shown = await show(page, found, { workspace_id, text }, options.signal)
    return page.flatMap(({ id, score, ranks }) => {
      const resource = shown.get(id)
      return resource ? [{ ...resource, score, ranks }] : []
    })
  }

  /** What is shown of a page, with the chunk of each resource by the arm that has it higher up. */
  async function show(
    page: Fused[],
    { keyword, semantic, vector }: FoundByBoth,
    about: { workspace_id: string; text: string },
    signal: AbortSignal,
  ): Promise<Map<string, Shown>> {
    const words = page.filter(isByWords).flatMap(({ id }) => keyword.parts.get(id) ?? [])
    const meaning = page.filter(each => !isByWords(each)).flatMap(({ id }) => semantic.parts.get(id) ?? [])
    const hits = await Promise.all([
      words.length > 0 ? ask<PageFields>(wordsRequest({ ...about, parts: words }), signal) : [],
      vector && meaning.length > 0 ? ask<PageFields>(meaningRequest({ ...about, parts: meaning }, vector), signal) : [],
    ])
    return readPage(hits.flat())
  }

  return {
    search: async (query, { signal, onUsage } = {}) => {
      const began = performance.now()
      const failed = new AbortController()
      const either = AbortSignal.any([failed.signal, ...(signal ? [signal] : [])])
      const text = cleaned(query.query)
      try {
        const matches = text === '' ? [] : await matchesOf(query, text, { signal: either, onUsage })
        return { matches, took_ms: Math.round(performance.now() - began) }
      } catch (error) {
        // What is still on its way serves nobody.
        failed.abort()
        throw error
      }
    },
  }
}

function inOrder(mode: SearchMode, { keyword, semantic }: FoundByBoth): Fused[] {
  if (mode === 'hybrid') return fuse({ keyword, semantic: semantic.candidates })
  const { candidates } = mode === 'keyword' ? keyword : semantic
  return candidates.map(({ id, score }, index) => ({
    id,
    score,
    ranks: { keyword: null, semantic: null, [mode]: index + 1 },
  }))
}

/** Whether the words have a resource at least as high up as its meaning. */
const isByWords = ({ ranks }: Fused) => (ranks.keyword ?? Infinity) <= (ranks.semantic ?? Infinity)
