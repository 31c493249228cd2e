import { SEARCHED_KINDS } from '../../../domain/tools/builtin.ts'
import { buildPrincipal } from '../principal.ts'
import type { Builtin } from './builtin.ts'
import type { SearchRequest } from '../../../contract/search/search.ts'
import type { SearchService } from '../../../services/search/search.ts'

export interface SearchToolDeps {
  search: SearchService
}

interface Arguments {
  query: string
  mode?: SearchRequest['mode']
  types?: SearchRequest['types']
  path_prefix?: string
  limit?: number
}

/** Searches the documents that are visible to the run. */
export function createSearchTool({ search }: SearchToolDeps): Builtin {
  return async ({ args, signal, ...call }) => {
    const {
      query,
      mode = 'hybrid',
      types = [...SEARCHED_KINDS],
      path_prefix,
      limit = 10,
    } = args as unknown as Arguments
    const request = { query, mode, types, filters: { path_prefix }, limit, offset: 0 }
    const { matches, truncated } = await search.search(buildPrincipal(call), request, { signal })
    const results = matches.map(({ resource_id, type, slug, title, path, version, chunk, score }) => {
      const passage = chunk && { heading: chunk.heading, text: chunk.text }
      return { id: resource_id, type, slug, title, path, version, passage, score }
    })
    return { matches: results, ...(truncated && { truncated }) }
  }
}
