import { z } from 'zod'
import type { Database } from '../../data/database.ts'
import { listChildren, type Children, type Parent } from '../../data/resource-tree-store.ts'
import { childOf, folderProblem, nameOf } from '../../domain/paths.ts'
import type { Principal } from '../../domain/principal.ts'
import { readCursor, titleText, writeCursor } from './cursor.ts'
import { brainsSeen, entryOf } from './entries.ts'
import { folderKey, nodeKeyText, resourceKey } from './node-key.ts'
import type { NodeKey, NodePage, TreeNode } from './types.ts'

/** What is directly below a node: folders by name, then resources by title, both in the order of their bytes. */
export async function children(
  db: Database,
  principal: Principal,
  key: NodeKey,
  { limit, cursor }: { limit: number; cursor?: string },
): Promise<NodePage> {
  const text = nodeKeyText(key)
  const after = cursor === undefined ? undefined : placeIn(text, cursor)
  if ('resource' in key) return { nodes: [] }
  const [page] = await pagesOf(db, principal, [{ path: key.folder, after }], limit)
  return page ?? { nodes: [] }
}

/** The first page of each, in one statement. */
export async function childrenOfEach(
  db: Database,
  principal: Principal,
  keys: NodeKey[],
  { limit }: { limit: number },
): Promise<Record<string, NodePage>> {
  const folders = [...new Set(keys.flatMap(key => ('folder' in key ? [key.folder] : [])))]
  const pages = await pagesOf(
    db,
    principal,
    folders.map(path => ({ path })),
    limit,
  )
  const byKey = new Map(folders.map((path, i) => [folderKey(path), pages[i]]))
  return Object.fromEntries(
    keys.map(nodeKeyText).map((key): [string, NodePage] => [key, byKey.get(key) ?? { nodes: [] }]),
  )
}

async function pagesOf(db: Database, principal: Principal, parents: Parent[], limit: number): Promise<NodePage[]> {
  if (parents.length === 0) return []
  const found = await db.inWorkspace(principal.workspace_id, tx =>
    listChildren(tx, parents, { brain_ids: brainsSeen(principal), limit: limit + 1 }),
  )
  return parents.map(({ path }, i) => pageOf(folderKey(path), found[i] ?? { folders: [], resources: [] }, limit))
}

function pageOf(key: string, { folders, resources }: Children, limit: number): NodePage {
  const all = [...folders.map(folderNode), ...resources.map(entryOf).map(resourceNode)]
  const nodes = all.slice(0, limit)
  const last = nodes.at(-1)
  return { nodes, ...(last && all.length > limit && { cursor: cursorAt(key, last) }) }
}

const folderNode = (path: string): TreeNode => ({
  key: folderKey(path),
  kind: 'folder',
  title: nameOf(path),
  path,
  has_children: true,
})

const resourceNode = (resource: NonNullable<TreeNode['resource']>): TreeNode => ({
  key: resourceKey(resource.id),
  kind: 'resource',
  title: resource.title,
  path: resource.path,
  resource,
  has_children: false,
})

const cursorAt = (parent: string, { title, resource }: TreeNode): string =>
  writeCursor(resource ? [parent, title, resource.id] : [parent, title])

function placeIn(parent: string, cursor: string): NonNullable<Parent['after']> {
  const folder = parent.slice(parent.indexOf(':') + 1)
  const name = z.string().refine(text => text !== '' && !text.includes('/') && !folderProblem(childOf(folder, text)))
  const [, title, id] = readCursor(
    cursor,
    z.union([z.tuple([z.literal(parent), name]), z.tuple([z.literal(parent), titleText, z.uuid()])]),
  )
  return id === undefined ? { folder: childOf(folder, title) } : { title, id }
}
