import { browseResources, findHeads } from '../../../data/resources/browse-store.ts'
import type { Database } from '../../../data/shared/database.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import { contextBrains } from '../../access/brains.ts'
import { presentResource } from '../views.ts'
import { presentEntry } from './entries.ts'
import type { BrowsePage, BrowseQuery } from '../../../contract/resources/discovery.ts'

const MAX_PAGE_BYTES = 8_000_000

/** Lists resources of one kind, last changed first. A page of full heads ends early when its documents are large. */
export function browse(db: Database, principal: Principal, query: BrowseQuery): Promise<BrowsePage> {
  const { type, limit, offset, full_heads } = query
  const filter = { kind: type, brain_ids: contextBrains(principal), limit, offset }
  return db.inWorkspace(principal.workspace_id, async tx => {
    const { rows, total } = await browseResources(tx, filter)
    if (!full_heads) return { data: rows.map(presentEntry), total }
    const heads = await findHeads(
      tx,
      rows.map(({ id }) => id),
      MAX_PAGE_BYTES,
    )
    return { data: heads.map(presentEntry), heads: heads.map(presentResource), total }
  })
}
