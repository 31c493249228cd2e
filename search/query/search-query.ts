export type SearchMode = 'hybrid' | 'keyword' | 'semantic'

/** What a search asks for, and who may see the answer. */
export interface SearchQuery {
  workspace_id: string
  /** Resources of these brains and of none; null: of all. */
  brain_ids: string[] | null
  query: string
  mode: SearchMode
  /** Kinds; all when left out. */
  types?: string[]
  /** A folder: what is in it and below. */
  path_prefix?: string
  /** ISO 8601, that moment included. */
  created_after?: string
  /** ISO 8601, that moment left out. */
  created_before?: string
  /** All have to be so. A list in a resource's metadata is so when one of its values is. */
  metadata?: Record<string, string | number | boolean>
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
  /**
   * The piece that fits best, by words or by meaning, whichever has the resource higher up; the first one where only the
   * title has any of the words. Null for a resource without text.
   */
  chunk: MatchedChunk | null
  /** `hybrid`: from 0 to 1. `keyword`: BM25. `semantic`: the cosine. */
  score: number
  /** Places in the lists of the two arms, from 1; null where it is in none, or was not looked for. */
  ranks: { keyword: number | null; semantic: number | null }
}

export interface MatchedChunk {
  ordinal: number
  /** What the text around it is about. */
  heading: string | null
  text: string
  /** HTML: what fits best of the text, escaped, with the words that were looked for in `<mark>`. */
  highlight: string
}

export interface SearchResult {
  matches: Match[]
  took_ms: number
}
