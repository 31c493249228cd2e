import type { Database } from '../../data/shared/database.ts'
import { findPages } from '../../data/documents/extractions-store.ts'
import { countIndexFailures } from '../../data/search/search-outbox-store.ts'
import { findLiveHeads } from '../../data/search/version-search-store.ts'
import { ElasticsearchRefusal } from '../../search/elasticsearch.ts'
import type { SearchIndex } from '../../search/index/search-index.ts'
import type { EmbedOptions } from '../../search/embedding/embedder.ts'
import type { Match, SearchQuery } from '../../search/query/search-query.ts'
import type { Searcher } from '../../search/query/searcher.ts'
import { Unavailable, ValidationError } from '../../domain/shared/errors.ts'
import { RESOURCE_KINDS, type ResourceKind, VERSIONED_KINDS } from '../../domain/resources/kinds/index.ts'
import type { Principal } from '../../domain/access/principal.ts'
import type { MatchView, SearchRequest, SearchReply } from '../../contract/search/search.ts'
import type { RecordEmbedding } from '../access/usage/embedding-ledger.ts'
import { contextBrains } from '../access/brains.ts'

/** The principal for a search, which covers resources in the brain context and resources without a brain. */
export type SearchPrincipal = Pick<Principal, 'workspace_id' | 'brain_ids' | 'brain'>

export interface SearchService {
  /**
   * Throws Forbidden without a brain context, and Unavailable if Elasticsearch or the embedder is unavailable or the
   * index needs a rebuild.
   */
  search(principal: SearchPrincipal, request: SearchRequest, options?: { signal?: AbortSignal }): Promise<SearchReply>
  /** Counts the workspace's resources that are missing from the index because indexing has failed. */
  countFailures(principal: SearchPrincipal): Promise<number>
}

/** How long the index state is cached, in milliseconds. */
const FRESH_MS = 1_000

type SearchedIndex = Pick<Searcher, 'search'> & Pick<SearchIndex, 'requireReady'>

/** The type of documents that have pages. */
const PAGED_TYPE = 'application/pdf'

/** Searches the resources that the principal may see. Throws Unavailable without an index. */
export function createSearchService(
  db: Database,
  search?: SearchedIndex & { versions: SearchedIndex },
  noteEmbedding?: RecordEmbedding,
): SearchService {
  if (!search) {
    return { search: () => Promise.reject(new Unavailable('Search is not configured')), countFailures: async () => 0 }
  }
  const heads = createCheckedIndex(search)
  const versionIndex = createCheckedIndex(search.versions)

  async function presentMatches(workspaceId: string, matches: Match[]): Promise<MatchView[]> {
    const chunks = matches.flatMap(({ type, resource_id, version, metadata, chunk }) =>
      type === 'assets' && metadata.media_type === PAGED_TYPE && chunk
        ? [{ resource_id, version, ordinal: chunk.ordinal }]
        : [],
    )
    const pages = chunks.length > 0 ? await db.inWorkspace(workspaceId, tx => findPages(tx, chunks)) : []
    const pageOf = new Map(pages.map(({ resource_id, ordinal, page }) => [`${resource_id}:${ordinal}`, page]))
    return matches.map(({ chunk, ...match }) => {
      const media_type = typeof match.metadata.media_type === 'string' ? match.metadata.media_type : null
      const page = pageOf.get(`${match.resource_id}:${chunk?.ordinal}`) ?? null
      return { ...match, media_type, chunk: chunk && { ...chunk, page } }
    })
  }

  /**
   * The version index may still contain recently deleted or moved resources, so results are checked against the
   * heads.
   */
  async function searchVersions(query: SearchQuery & { versions: 'all' | number }, options: EmbedOptions) {
    const { matches, ...result } = await versionIndex.search(query, options)
    const ids = [...new Set(matches.map(({ resource_id }) => resource_id))]
    const liveHeads =
      ids.length > 0 ? await db.inWorkspace(query.workspace_id, tx => findLiveHeads(tx, ids, query.brain_ids)) : []
    const byId = new Map(liveHeads.map(head => [head.id, head]))
    const live = matches.flatMap(match => {
      const head = byId.get(match.resource_id)
      return head && head.version >= match.version ? [{ ...match, slug: head.slug, path: head.path }] : []
    })
    return { ...result, matches: live }
  }

  return {
    countFailures: ({ workspace_id }) => db.inWorkspace(workspace_id, countIndexFailures),
    async search(principal, { mode, filters, versions = 'head', ...request }, options) {
      const types = listSearchedKinds(request.types, versions)
      const { workspace_id } = principal
      const brain_ids = contextBrains(principal)
      const query = { ...request, ...filters, types, mode, workspace_id, brain_ids }
      const onUsage = (tokens: number) => noteEmbedding?.(workspace_id, tokens)
      const { matches, ...result } =
        versions === 'head'
          ? await heads.search(query, { ...options, onUsage })
          : await searchVersions({ ...query, versions }, { ...options, onUsage })
      return { ...result, matches: await presentMatches(workspace_id, matches), mode }
    },
  }
}

/**
 * Searches an index built with the configured model. Vectors from different models cannot be compared. If the index
 * was built with a different model, it supports only keyword search, and other modes throw IndexMismatch.
 */
function createCheckedIndex(index: SearchedIndex): Pick<Searcher, 'search'> {
  let cached: { at: number; ready: Promise<string> } | undefined

  async function check(): Promise<void> {
    if (!cached || Date.now() - cached.at > FRESH_MS) cached = { at: Date.now(), ready: index.requireReady() }
    const lookup = cached
    await lookup.ready.catch((error: unknown) => {
      if (cached === lookup) cached = undefined
      throw error
    })
  }

  return {
    async search(query, options) {
      if (query.mode !== 'keyword') await check()
      try {
        return await index.search(query, options)
      } catch (error) {
        // The index may just have been replaced by an index built with a different model.
        if (query.mode !== 'keyword' && error instanceof ElasticsearchRefusal) await index.requireReady()
        throw error
      }
    },
  }
}

/** Returns the kinds to search. Throws ValidationError for kinds whose versions are not searchable. */
export function listSearchedKinds(
  types: ResourceKind[] | undefined,
  versions: SearchRequest['versions'],
): ResourceKind[] {
  if (versions === 'head') return types ?? [...RESOURCE_KINDS]
  const problems = (types ?? []).flatMap((kind, i) =>
    VERSIONED_KINDS.includes(kind)
      ? []
      : [{ pointer: `/types/${i}`, message: `the versions of ${kind.replaceAll('_', ' ')} cannot be searched` }],
  )
  if (problems.length > 0) throw new ValidationError('The search request is invalid', problems)
  return types ?? [...VERSIONED_KINDS]
}
