import type { Principal } from '../../domain/access/principal.ts'
import type { ResourceKind } from '../../domain/resources/kinds/index.ts'
import type { Match, MatchedChunk, SearchResult, SearchMode } from '../../search/query/search-query.ts'

export interface SearchRequest {
  query: string
  mode: SearchMode
  /** Resource kinds. Undefined means all. */
  types?: ResourceKind[]
  /** Where to look: in the latest versions, in all, or in those of a number. Default: head. */
  versions?: 'head' | 'all' | number
  filters?: SearchFilters
  /** The least cosine of a match that no keyword has. */
  min_score?: number
  limit: number
  offset: number
}

export interface SearchFilters {
  /** A folder whose subtree is searched. */
  path_prefix?: string
  /** ISO 8601. */
  created_after?: string
  created_before?: string
  metadata?: Record<string, string | number | boolean>
}

/** The principal of a search, which finds resources of the brain context and those without a brain. */
export type SearchPrincipal = Pick<Principal, 'workspace_id' | 'brain_ids' | 'brain'>

export interface SearchService {
  /**
   * Throws Forbidden without a brain context, and Unavailable while Elasticsearch or the embedder is unavailable, or
   * the index needs a rebuild.
   */
  search(principal: SearchPrincipal, request: SearchRequest, options?: { signal?: AbortSignal }): Promise<SearchReply>
  /** Returns the number of resources of the workspace that the index lacks, because indexing them fails. */
  countFailures(principal: SearchPrincipal): Promise<number>
}

/** A match as the API shows it. */
export interface MatchView extends Omit<Match, 'chunk'> {
  media_type: string | null
  /** `page` is the page of a PDF on which the chunk begins, from 1. */
  chunk: (MatchedChunk & { page: number | null }) | null
}

export interface SearchReply extends Omit<SearchResult, 'matches'> {
  matches: MatchView[]
  mode: SearchMode
}
