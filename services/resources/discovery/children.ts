import { z } from 'zod'
import type { Database } from '../../../data/shared/database.ts'
import { listChildren, type Children, type Parent } from '../../../data/resources/resource-tree-store.ts'
import { joinPath, folderProblem, getBaseName } from '../../../domain/resources/paths.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import { DOCUMENT_KINDS } from '../../../domain/resources/kinds/index.ts'
import { folderKey, formatNodeKey, resourceKey, type NodeKey } from '../../../domain/resources/node-key.ts'
import type { ChildrenQuery, NodePage, TreeNode } from '../../../contract/resources/discovery.ts'
import { contextBrains } from '../../access/brains.ts'
import { parseCursor, titleText, formatCursor } from './cursor.ts'
import { presentEntry } from './entries.ts'

/** Lists a node's children: folders by name, then resources by title, both in byte order. */
export async function children(
  db: Database,
  principal: Principal,
  key: NodeKey,
  { tree_profile, limit, cursor }: ChildrenQuery & { cursor?: string },
): Promise<NodePage> {
  const text = formatNodeKey(key)
  const after = cursor === undefined ? undefined : parsePosition(text, cursor)
  if ('resource' in key) return { nodes: [] }
  const [page] = await listPages(db, principal, [{ path: key.folder, after }], { tree_profile, limit })
  return page ?? { nodes: [] }
}

/** Lists the first page of children for each node in one statement. */
export async function childrenOfEach(
  db: Database,
  principal: Principal,
  keys: NodeKey[],
  query: ChildrenQuery,
): Promise<Record<string, NodePage>> {
  const folders = [...new Set(keys.flatMap(key => ('folder' in key ? [key.folder] : [])))]
  const pages = await listPages(
    db,
    principal,
    folders.map(path => ({ path })),
    query,
  )
  const byKey = new Map(folders.map((path, i) => [folderKey(path), pages[i]]))
  return Object.fromEntries(
    keys.map(formatNodeKey).map((key): [string, NodePage] => [key, byKey.get(key) ?? { nodes: [] }]),
  )
}

async function listPages(
  db: Database,
  principal: Principal,
  parents: Parent[],
  { tree_profile = 'broad', limit }: ChildrenQuery,
): Promise<NodePage[]> {
  if (parents.length === 0) return []
  const childLists = await db.inWorkspace(principal.workspace_id, tx =>
    listChildren(tx, parents, {
      brain_ids: contextBrains(principal),
      // Filtering on all kinds would prevent use of the folder index.
      kinds: tree_profile === 'document' ? DOCUMENT_KINDS : undefined,
      limit: limit + 1,
    }),
  )
  return parents.map(({ path }, i) =>
    buildPage(folderKey(path), childLists[i] ?? { folders: [], resources: [] }, limit),
  )
}

function buildPage(key: string, { folders, resources }: Children, limit: number): NodePage {
  const all = [...folders.map(presentFolder), ...resources.map(presentEntry).map(presentResourceNode)]
  const nodes = all.slice(0, limit)
  const last = nodes.at(-1)
  return { nodes, ...(last && all.length > limit && { cursor: buildCursor(key, last) }) }
}

const presentFolder = (path: string): TreeNode => ({
  key: folderKey(path),
  kind: 'folder',
  title: getBaseName(path),
  path,
  has_children: true,
})

const presentResourceNode = (resource: NonNullable<TreeNode['resource']>): TreeNode => ({
  key: resourceKey(resource.id),
  kind: 'resource',
  title: resource.title,
  path: resource.path,
  resource,
  has_children: false,
})

const buildCursor = (parent: string, { title, resource }: TreeNode): string =>
  formatCursor(resource ? [parent, title, resource.id] : [parent, title])

function parsePosition(parent: string, cursor: string): NonNullable<Parent['after']> {
  const folder = parent.slice(parent.indexOf(':') + 1)
  const name = z.string().refine(text => text !== '' && !text.includes('/') && !folderProblem(joinPath(folder, text)))
  const [, title, id] = parseCursor(
    cursor,
    z.union([z.tuple([z.literal(parent), name]), z.tuple([z.literal(parent), titleText, z.uuid()])]),
  )
  return id === undefined ? { folder: joinPath(folder, title) } : { title, id }
}
