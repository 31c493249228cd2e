import { Unavailable } from '../../domain/errors.ts'
import { RESOURCE_KINDS } from '../../domain/resources/kinds/index.ts'
import type { IndexState, SearchIndex } from '../../search/index/search-index.ts'
import type { Searcher } from '../../search/query/searcher.ts'
import type { RecordEmbedding } from '../usage/embedding-ledger.ts'
import { contextBrains } from '../access/brains.ts'
import { describeMismatch } from '../indexing/indexer.ts'
import type { SearchService } from './types.ts'

/** The time for which the state of the index is cached. */
const FRESH_MS = 10_000

/** Searches the resources that the principal may see. Without an index it throws Unavailable. */
export function createSearchService(
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

  return {
    async search(principal, { mode, filters, ...request }, options) {
      if (mode !== 'keyword') await checkIndex()
      const brain_ids = contextBrains(principal)
      const types = request.types ?? [...RESOURCE_KINDS]
      const query = { ...request, ...filters, types, mode, workspace_id: principal.workspace_id, brain_ids }
      const onUsage = (tokens: number) => noteEmbedding?.(principal.workspace_id, tokens)
      return { ...(await search.search(query, { ...options, onUsage })), mode }
    },
  }
}
