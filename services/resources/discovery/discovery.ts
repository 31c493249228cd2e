import type { Database } from '../../../data/shared/database.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import type { NodeKey } from '../../../domain/resources/node-key.ts'
import type {
  BrowseQuery,
  BrowsePage,
  ChildrenQuery,
  NodePage,
  TreeQuery,
  RowPage,
  FolderPage,
  MoveRequest,
  MoveResult,
} from '../../../contract/resources/discovery.ts'
import { children, childrenOfEach } from './children.ts'
import { move } from './move.ts'
import { folders, rows } from './tree.ts'
import { browseResources, findHeads } from '../../../data/resources/browse-store.ts'
import { contextBrains } from '../../access/brains.ts'
import { presentResource } from '../views.ts'
import { presentEntry } from './entries.ts'

/**
 * Finds and moves resources by kind and path. Resources in the brain context and resources without a brain are
 * visible. Methods throw Forbidden without a context.
 */
export interface DiscoveryService {
  /** Lists resources, most recently changed first. With `full_heads`, a page ends early after 8 MB of documents. */
  browse(principal: Principal, query: BrowseQuery): Promise<BrowsePage>
  /** Throws ValidationError for a cursor from a different listing. */
  children(principal: Principal, key: NodeKey, query: ChildrenQuery & { cursor?: string }): Promise<NodePage>
  /** Lists the first page of children for each node, keyed by node. */
  childrenOfEach(principal: Principal, keys: NodeKey[], query: ChildrenQuery): Promise<Record<string, NodePage>>
  /** Lists resources in tree order. Throws ValidationError for a cursor from a different listing. */
  rows(principal: Principal, query: TreeQuery): Promise<RowPage>
  /** Lists all folders in the subtree in tree order, including folders that contain only other folders. */
  folders(principal: Principal, query: TreeQuery): Promise<FolderPage>
  /**
   * Moves all entries or none. A move creates no version and does not change `updated_at`. Throws ValidationError
   * that lists each entry that cannot be moved, or Forbidden if an entry belongs to the service.
   */
  move(principal: Principal, request: MoveRequest): Promise<MoveResult>
}

interface Deps {
  db: Database
  /** Maximum number of resources per move. By default, well below the statement limit. */
  maxMoved?: number
}

export function createDiscovery({ db, maxMoved = 20_000 }: Deps): DiscoveryService {
  return {
    browse: (principal, query) => browse(db, principal, query),
    children: (principal, key, page) => children(db, principal, key, page),
    childrenOfEach: (principal, keys, page) => childrenOfEach(db, principal, keys, page),
    rows: (principal, query) => rows(db, principal, query),
    folders: (principal, query) => folders(db, principal, query),
    move: (principal, request) => move({ db, maxMoved }, principal, request),
  }
}

const MAX_PAGE_BYTES = 8_000_000

/**
 * Lists resources of one kind, most recently changed first. A page with full heads ends early if the documents are
 * large.
 */
function browse(db: Database, principal: Principal, query: BrowseQuery): Promise<BrowsePage> {
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
