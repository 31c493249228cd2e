import { findResourceKind } from '../../../domain/resources/kinds/index.ts'
import type { SearchRequest, SearchService } from '../../../services/search/types.ts'
import { argumentsInvalid } from '../errors.ts'
import { toPrincipal } from '../principal.ts'
import type { Builtin } from './builtin.ts'

export interface SearchToolDeps {
  search: SearchService
}

interface Arguments {
  query: string
  mode?: SearchRequest['mode']
  types?: string[]
  path_prefix?: string
  limit?: number
}

/** Searches the resources that are visible to the run. */
export function createSearchTool({ search }: SearchToolDeps): Builtin {
  return async ({ args, signal, ...call }) => {
    const { query, mode = 'hybrid', types, path_prefix, limit = 10 } = args as unknown as Arguments
    const request = { query, mode, filters: { path_prefix }, limit, offset: 0 }
    const filtered = types ? { ...request, types: types.map(parseKind) } : request
    const { matches, truncated } = await search.search(toPrincipal(call), filtered, { signal })
    const results = matches.map(({ resource_id, type, slug, title, path, version, chunk, score }) => {
      const passage = chunk && { heading: chunk.heading, text: chunk.text }
      return { id: resource_id, type, slug, title, path, version, passage, score }
    })
    return { matches: results, ...(truncated && { truncated }) }
  }
}

function parseKind(name: string, i: number) {
  const kind = findResourceKind(name)
  if (!kind || kind.isHidden) throw argumentsInvalid([{ pointer: `/types/${i}`, message: 'must be a resource kind' }])
  return kind.kind
}
