export type SearchMode = 'hybrid' | 'keyword' | 'semantic'

/** A search with the visible brains of the principal. */
export interface SearchQuery {
  workspace_id: string
  /** Brains whose resources are found, besides resources without a brain. Null means all. */
  brain_ids: string[] | null
  query: string
  mode: SearchMode
  /** Resource kinds. Undefined means all. */
  types?: string[]
  /** In an index of versions: all versions, or the one of this number. */
  versions?: 'all' | number
  /** A folder whose subtree is searched. */
  path_prefix?: string
  /** ISO 8601, inclusive. */
  created_after?: string
  /** ISO 8601, exclusive. */
  created_before?: string
  /** All entries must match. A list in a resource's metadata matches when one of its values does. */
  metadata?: Record<string, string | number | boolean>
  /** The least cosine of a match that no keyword has. */
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
  /** The last version that has the chunk; null if the head has it. Absent in a search of heads. */
  last_version?: number | null
  /** The metadata by which searches filter. */
  metadata: Record<string, unknown>
  /**
   * The chunk that matches best, by the arm that ranks the resource higher, or the first chunk where only the title
   * matches. Null for a resource without text.
   */
  chunk: MatchedChunk | null
  /** `semantic`: the cosine. `keyword` and `hybrid`: 1 divided by the rank among all matches. */
  score: number
  /** Ranks in the lists of the two arms, from 1. Null where the resource is not in the list or the arm was not used. */
  ranks: { keyword: number | null; semantic: number | null }
}

export interface MatchedChunk {
  /** Unique to the chunk: resource, version and ordinal. */
  id: string
  ordinal: number
  /** The heading of the section that contains the chunk. */
  heading: string | null
  text: string
  /** The best passages of the text as escaped HTML, with the words of the query in `<mark>`. */
  highlight: string
}

export interface SearchResult {
  matches: Match[]
  took_ms: number
  /** True when only the beginning of the query was used; else absent. */
  truncated?: true
}
