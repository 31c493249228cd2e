import type { Principal } from '../../domain/principal.ts'
import type { ResourceKind } from '../../domain/resources/kinds/index.ts'
import type { ResourceView } from '../resources/types.ts'

/** A head as lists show it: without its document. */
export interface ResourceEntry {
  id: string
  slug: string
  type: ResourceKind
  title: string
  path: string
  version: number
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
  /** The same resources in full, where they were asked for. */
  heads?: ResourceView[]
  total: number
}

/** A folder is there as long as something in sight is in it, so it always has children; a resource has none. */
export interface TreeNode {
  /** `folder:/a/b` or `resource:<id>`. */
  key: string
  kind: 'folder' | 'resource'
  title: string
  /** Of a folder its own path, of a resource the folder it is in. */
  path: string
  resource?: ResourceEntry
  has_children: boolean
}

export interface NodePage {
  nodes: TreeNode[]
  /** Left out where this was all. */
  cursor?: string
}

/** `document`: the kinds of the document lane. `broad`: every kind. */
export type Profile = 'document' | 'broad'

export interface TreeQuery {
  tree_profile: Profile
  /** A folder: what is in it and below. */
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
  /** Directly in it, of the profile. */
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
  /** The first 1,000: those asked for by id, then those of folders. */
  moved: { id: string; path: string }[]
  folders: { from: string; path: string; resources: number }[]
  /** How many resources were moved in all. */
  total: number
}

/**
 * Finds what is in a workspace by kind and by place, and puts it elsewhere. A caller sees what belongs to no brain and
 * what belongs to the brains of the credential, of those only the one the request works in if it names one.
 */
export interface DiscoveryService {
  /** Last changed first. With `full_heads` a page ends early once it has 8 MB of documents. */
  browse(principal: Principal, query: BrowseQuery): Promise<BrowsePage>
  /** Throws ValidationError for a cursor of another listing. */
  children(principal: Principal, key: NodeKey, page: { limit: number; cursor?: string }): Promise<NodePage>
  /** The first page of each, by key. */
  childrenOfEach(principal: Principal, keys: NodeKey[], page: { limit: number }): Promise<Record<string, NodePage>>
  /** In the order of the tree. Throws ValidationError for a cursor of another listing. */
  rows(principal: Principal, query: TreeQuery): Promise<RowPage>
  /** Every folder of the subtree, also those that hold only folders; in the order of the tree. */
  folders(principal: Principal, query: TreeQuery): Promise<FolderPage>
  /**
   * All or nothing. Place is no part of a version: no version is made, and `updated_at` stays.
   * Throws ValidationError that lists whatever cannot be moved.
   */
  move(principal: Principal, request: MoveRequest): Promise<MoveResult>
}

/** What a node's key says. */
export type NodeKey = { folder: string } | { resource: string }
