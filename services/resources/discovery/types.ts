import type { Principal } from '../../../domain/access/principal.ts'
import type { ResourceKind } from '../../../domain/resources/kinds/index.ts'
import type { ResourceView } from '../types.ts'

/** A head without its document. */
export interface ResourceEntry {
  id: string
  slug: string
  type: ResourceKind
  title: string
  path: string
  version: number
  created_at: string
  updated_at: string
}

export interface BrowseQuery {
  type: ResourceKind
  limit: number
  offset: number
  full_heads: boolean
}

export interface BrowsePage {
  data: ResourceEntry[]
  /** The resources with documents, if requested. */
  heads?: ResourceView[]
  total: number
}

/** A folder exists as long as it contains visible resources, so it always has children. A resource has none. */
export interface TreeNode {
  /** `folder:/a/b` or `resource:<id>`. */
  key: string
  kind: 'folder' | 'resource'
  title: string
  /** The path of a folder, or the folder of a resource. */
  path: string
  resource?: ResourceEntry
  has_children: boolean
}

/** Which children of nodes are listed. Without a profile, resources of all kinds. */
export interface ChildrenQuery {
  tree_profile?: Profile
  limit: number
}

export interface NodePage {
  nodes: TreeNode[]
  /** Absent on the last page. */
  cursor?: string
}

/** `document` means the kinds of documents, `broad` all kinds. */
export type Profile = 'document' | 'broad'

export interface TreeQuery {
  tree_profile: Profile
  /** A folder with all its descendants. */
  path_prefix: string
  limit: number
  cursor?: string
}

export interface RowPage {
  rows: ResourceEntry[]
  cursor?: string
}

export interface FolderEntry {
  path: string
  title: string
  /** Number of resources of the profile directly in the folder. */
  resources: number
}

export interface FolderPage {
  folders: FolderEntry[]
  cursor?: string
}

export interface MoveRequest {
  resource_ids: string[]
  folders: string[]
  path: string
  move_profile: Profile
}

export interface MoveResult {
  /** The first 1,000: resources requested by id, then those of folders. */
  moved: { id: string; path: string }[]
  folders: { from: string; path: string; resources: number }[]
  /** Number of moved resources. */
  total: number
}

/**
 * Finds and moves resources by kind and path. Those of the brain context and those without a brain are visible. Methods
 * throw Forbidden without a context.
 */
export interface DiscoveryService {
  /** Lists the last changed first. With `full_heads` a page ends early after 8 MB of documents. */
  browse(principal: Principal, query: BrowseQuery): Promise<BrowsePage>
  /** Throws ValidationError for a cursor of another listing. */
  children(principal: Principal, key: NodeKey, query: ChildrenQuery & { cursor?: string }): Promise<NodePage>
  /** Lists the first page of each node, by key. */
  childrenOfEach(principal: Principal, keys: NodeKey[], query: ChildrenQuery): Promise<Record<string, NodePage>>
  /** Lists resources in tree order. Throws ValidationError for a cursor of another listing. */
  rows(principal: Principal, query: TreeQuery): Promise<RowPage>
  /** Lists all folders of the subtree in tree order, also those that hold only folders. */
  folders(principal: Principal, query: TreeQuery): Promise<FolderPage>
  /**
   * Moves all entries or none; a move makes no version and keeps `updated_at`. Throws ValidationError with a problem
   * for each entry that cannot be moved, and Forbidden with them if one belongs to the service.
   */
  move(principal: Principal, request: MoveRequest): Promise<MoveResult>
}

export type NodeKey = { folder: string } | { resource: string }
