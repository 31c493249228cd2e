import type { Elasticsearch } from '../elasticsearch.ts'
import type { Embedder, EmbedOptions } from '../embedding/embedder.ts'
import { fuse } from '../fusion.ts'
import type { FusedMatch } from '../fusion.ts'
import { buildAlias } from '../index/names.ts'
import { createExecuteSearch } from './execute-search.ts'
import { buildFilters } from './filters.ts'
import { createRetriever } from './retriever.ts'
import type { RetrievalResult } from './retriever.ts'
import {
  buildKeywordPageRequest,
  buildSemanticPageRequest,
  createVersionKey,
  type PageFields,
  type PageHit,
  readPage,
  toHeadKey,
} from './page.ts'
import { cleanQuery, cutQuery } from './query-text.ts'
import type { Match, SearchResult, SearchMode, SearchQuery } from './search-query.ts'

export interface Searcher {
  /**
   * Searches resources by keyword, by meaning, or both. Each arm finds at most 100 resources, so there are never more
   * than 200 matches, whatever `limit` and `offset` are. Throws Unavailable when Elasticsearch is unreachable, too
   * slow or returns partial results. Also throws errors from the embedder.
   */
  search(query: SearchQuery, options?: EmbedOptions): Promise<SearchResult>
}

interface Deps {
  elasticsearch: Elasticsearch
  prefix: string
  embed: Embedder['embed']
}

export function createSearcher({ elasticsearch, prefix, embed }: Deps): Searcher {
  const executeSearch = createExecuteSearch(elasticsearch, buildAlias(prefix))
  const retrieve = createRetriever(executeSearch, embed)

  async function findMatches(
    query: SearchQuery,
    text: string,
    options: EmbedOptions & { signal: AbortSignal },
  ): Promise<Match[]> {
    const { mode, workspace_id, offset, limit } = query
    const toKey = query.versions === undefined ? toHeadKey : createVersionKey(query.versions)
    const retrieved = await retrieve({ mode, text, filter: buildFilters(query), toKey, options })
    const page = rank(mode, retrieved)
      .filter(isScored(query, retrieved))
      .slice(offset, offset + limit)
    const hits = await loadPage(page, retrieved, { workspace_id, text }, options.signal)
    const resources = readPage(hits, query, toKey)
    return page.flatMap(({ id, score, ranks }) => {
      const resource = resources.get(id)
      return resource ? [{ ...resource, score, ranks }] : []
    })
  }

  /** Loads the parts on a page, each with its best chunk from the arm that ranks the resource higher. */
  async function loadPage(
    page: FusedMatch[],
    { keyword, semantic, vector }: RetrievalResult,
    target: { workspace_id: string; text: string },
    signal: AbortSignal,
  ): Promise<PageHit[]> {
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
    return hits.flat()
  }

  return {
    search: async (query, { signal, onUsage } = {}) => {
      const began = performance.now()
      const failed = new AbortController()
      const either = AbortSignal.any([failed.signal, ...(signal ? [signal] : [])])
      const cut = cutQuery(cleanQuery(query.query))
      let { truncated } = cut
      const options = { signal: either, onUsage, onTruncation: () => void (truncated = true) }
      try {
        const matches = cut.text === '' ? [] : await findMatches(query, cut.text, options)
        const took_ms = Math.round(performance.now() - began)
        return { matches, took_ms, ...(truncated && { truncated }) }
      } catch (error) {
        // Cancels requests that are still in flight.
        failed.abort()
        throw error
      }
    },
  }
}

/**
 * Orders the resources. Scores based on BM25 are replaced with the reciprocal rank: BM25 counts words across all
 * workspaces, so the scores would reveal which words other workspaces use.
 */
function rank(mode: SearchMode, { keyword, semantic }: RetrievalResult): FusedMatch[] {
  if (mode === 'semantic')
    return semantic.candidates.map((each, i) => ({ ...each, ranks: { keyword: null, semantic: i + 1 } }))
  const ranked: Pick<FusedMatch, 'id' | 'ranks'>[] =
    mode === 'hybrid'
      ? fuse({ keyword, semantic: semantic.candidates })
      : keyword.candidates.map(({ id }, i) => ({ id, ranks: { keyword: i + 1, semantic: null } }))
  return ranked.map(({ id, ranks }, i) => ({ id, ranks, score: 1 / (i + 1) }))
}

/**
 * Returns a predicate for matches that contain a keyword or have a sufficient cosine. It is applied after ranking and
 * does not change the order.
 */
function isScored({ min_score }: SearchQuery, { semantic }: RetrievalResult): (each: FusedMatch) => boolean {
  if (min_score === undefined) return () => true
  const near = new Set(semantic.candidates.filter(({ score }) => score >= min_score).map(({ id }) => id))
  return ({ id, ranks }) => ranks.keyword !== null || near.has(id)
}

/** Returns true when the keyword rank is at least as good as the semantic rank. */
const isKeywordMatch = ({ ranks }: FusedMatch) => (ranks.keyword ?? Infinity) <= (ranks.semantic ?? Infinity)
