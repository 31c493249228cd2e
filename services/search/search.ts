import type { Database } from '../../data/database.ts'
import { findPages } from '../../data/extractions-store.ts'
import { Unavailable } from '../../domain/errors.ts'
import { RESOURCE_KINDS } from '../../domain/resources/kinds/index.ts'
import type { IndexState, SearchIndex } from '../../search/index/search-index.ts'
import type { Match } from '../../search/query/search-query.ts'
import type { Searcher } from '../../search/query/searcher.ts'
import type { RecordEmbedding } from '../usage/embedding-ledger.ts'
import { contextBrains } from '../access/brains.ts'
import { describeMismatch } from '../indexing/indexer.ts'
import type { MatchView, SearchService } from './types.ts'

/** The time for which the state of the index is cached. */
const FRESH_MS = 10_000

/** The documents that have pages. */
const PAGED_TYPE = 'application/pdf'

/** Searches the resources that the principal may see. Without an index it throws Unavailable. */
export function createSearchService(
  db: Database,
  search?: Pick<Searcher, 'search'> & Pick<SearchIndex, 'ensure'>,
  noteEmbedding?: RecordEmbedding,
): SearchService {
  if (!search) return { search: () => Promise.reject(new Unavailable('Search is not configured')) }
  const ensure = () => search.ensure()
  let cached: { at: number; state: Promise<IndexState> } | undefined

  /** Throws Unavailable for an index of another model: its vectors allow keyword search only. */
  async function checkIndex(): Promise<void> {
    if (!cached || Date.now() - cached.at > FRESH_MS) cached = { at: Date.now(), state: ensure() }
    const lookup = cached
    const state = await lookup.state.catch((error: unknown) => {
      if (cached === lookup) cached = undefined
      throw error
    })
    if (state.state === 'mismatch') throw new Unavailable(describeMismatch(state))
  }

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

  return {
    async search(principal, { mode, filters, ...request }, options) {
      if (mode !== 'keyword') await checkIndex()
      const brain_ids = contextBrains(principal)
      const types = request.types ?? [...RESOURCE_KINDS]
      const query = { ...request, ...filters, types, mode, workspace_id: principal.workspace_id, brain_ids }
      const onUsage = (tokens: number) => noteEmbedding?.(principal.workspace_id, tokens)
      const { matches, ...result } = await search.search(query, { ...options, onUsage })
      return { ...result, matches: await presentMatches(principal.workspace_id, matches), mode }
    },
  }
}
