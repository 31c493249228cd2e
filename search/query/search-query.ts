export type SearchMode = 'hybrid' | 'keyword' | 'semantic'

/** A search query, with the brains that the principal can see. */
export interface SearchQuery {
  workspace_id: string
  /** The brains to search. Resources without a brain are always included. Null means all. */
  brain_ids: string[] | null
  query: string
  mode: SearchMode
  /** The resource kinds to search. Undefined means all. */
  types?: string[]
  /** Searches the version index: all versions, or only the version with this number. */
  versions?: 'all' | number
  /** Searches only this folder and its subfolders. */
  path_prefix?: string
  /** ISO 8601, inclusive. */
  created_after?: string
  /** ISO 8601, exclusive. */
  created_before?: string
  /**
   * Metadata that a resource must have. All entries must match. If the resource has a list, one of its values must
   * match.
   */
  metadata?: Record<string, string | number | boolean>
  /** The minimum cosine for a match that contains no keyword. */
  min_score?: number
  limit: number
  offset: number
}

export interface Match {
  resource_id: string
  type: string
  slug: string
  title: string
  path: string
  version: number
  /** The last version that contains the chunk. Null if the head contains the chunk. Absent when heads are searched. */
  last_version?: number | null
  /** The metadata by which searches can filter. */
  metadata: Record<string, unknown>
  /**
   * The best-matching chunk, from the arm that ranks the resource higher. If only the title matches, the first chunk.
   * Null for a resource without text.
   */
  chunk: MatchedChunk | null
  /** `semantic`: the cosine. `keyword` and `hybrid`: 1 divided by the rank among all matches. */
  score: number
  /**
   * Ranks in the lists of the two arms, starting at 1. Null if the resource is not in the list or the arm was not
   * used.
   */
  ranks: { keyword: number | null; semantic: number | null }
}

export interface MatchedChunk {
  /** A unique id per chunk, which contains the resource, version and ordinal. */
  id: string
  ordinal: number
  /** The heading of the section that contains the chunk. */
  heading: string | null
  text: string
  /** The best passages as escaped HTML, with query words in `<mark>`. */
  highlight: string
}

export interface SearchResult {
  matches: Match[]
  took_ms: number
  /** True if only the beginning of the query was used. Otherwise absent. */
  truncated?: true
}
