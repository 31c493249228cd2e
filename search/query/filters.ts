import type { estypes } from '@elastic/elasticsearch'
import { folderProblem, ROOT } from '../../domain/resources/paths.ts'
import { isFilterable } from '../index/mapping.ts'
import type { SearchQuery } from './search-query.ts'

type Filter = estypes.QueryDslQueryContainer

const MATCH_NONE: Filter = { match_none: {} }

/** Builds the filters that both arms use: the workspace, the visible brains and the query conditions, in that order. */
export function buildFilters(query: SearchQuery): Filter[] {
  const { workspace_id, brain_ids, types, path_prefix, created_after, created_before, metadata } = query
  return [
    { term: { workspace_id } },
    brain_ids && isVisible(brain_ids),
    types && { terms: { kind: types.filter(kind => isFilterable(kind)).map(toWellFormed) } },
    path_prefix && path_prefix !== ROOT && isWithinFolder(path_prefix),
    (created_after ?? created_before) && { range: { created_at: { gte: created_after, lt: created_before } } },
    typeof query.versions === 'number' && isOfVersion(query.versions),
    ...Object.entries(metadata ?? {}).map(hasMetadata),
  ].filter(filter => typeof filter === 'object' && filter !== null)
}

const isVisible = (ids: string[]): Filter => ({
  bool: { should: [{ terms: { brain_id: ids } }, { bool: { must_not: { exists: { field: 'brain_id' } } } }] },
})

/** A chunk without a last version belongs to the head. The caller leaves out versions that do not exist yet. */
const isOfVersion = (version: number): Filter => ({
  bool: {
    filter: [{ range: { version: { lte: version } } }],
    should: [
      { range: { last_version: { gte: version } } },
      { bool: { must_not: { exists: { field: 'last_version' } } } },
    ],
    minimum_should_match: 1,
  },
})

function isWithinFolder(folder: string): Filter {
  if (folderProblem(folder) !== undefined) return MATCH_NONE
  return { bool: { should: [{ term: { path: folder } }, { prefix: { path: `${folder}/` } }] } }
}

/**
 * Filters by one metadata entry. Values are indexed as text, so numbers are compared as text. Names and values above
 * the length limit match nothing.
 */
function hasMetadata([key, value]: [string, string | number | boolean]): Filter {
  const text = toWellFormed(String(value))
  if (!isFilterable(key, text)) return MATCH_NONE
  return { term: { [`metadata.${toWellFormed(key)}`]: { value: text } } }
}

const toWellFormed = (text: string) => text.toWellFormed()
