import { z } from 'zod'
import type { Database } from '../../../data/shared/database.ts'
import { countFolders, listTree, type FolderCount } from '../../../data/resources/resource-tree-store.ts'
import { joinPath, folderProblem, isWithin, getBaseName, ROOT } from '../../../domain/resources/paths.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import { DOCUMENT_KINDS, RESOURCE_KINDS, type ResourceKind } from '../../../domain/resources/kinds/index.ts'
import type { FolderEntry, FolderPage, Profile, RowPage, TreeQuery } from '../../../contract/resources/discovery.ts'
import { contextBrains } from '../../access/brains.ts'
import { parseCursor, titleText, formatCursor } from './cursor.ts'
import { presentEntry } from './entries.ts'

export const listKinds = (profile: Profile): readonly ResourceKind[] =>
  profile === 'document' ? DOCUMENT_KINDS : RESOURCE_KINDS

/** Lists a subtree's resources, folder by folder. */
export async function rows(db: Database, principal: Principal, query: TreeQuery): Promise<RowPage> {
  const { limit, cursor, path_prefix } = query
  const place = cursor === undefined ? undefined : parseCursor(cursor, rowPosition(path_prefix))
  const after = place && { path: place[1], title: place[2], id: place[3] }
  const resources = await db.inWorkspace(principal.workspace_id, tx =>
    listTree(tx, path_prefix, { ...buildVisibility(principal, query), limit: limit + 1, after }),
  )
  const page = resources.slice(0, limit).map(presentEntry)
  const last = page.at(-1)
  if (!last || resources.length <= limit) return { rows: page }
  return { rows: page, cursor: formatCursor(['row', last.path, last.title, last.id]) }
}

/** Lists a subtree's folders, each folder before its descendants. */
export async function folders(db: Database, principal: Principal, query: TreeQuery): Promise<FolderPage> {
  const { limit, cursor, path_prefix } = query
  const after = cursor === undefined ? undefined : parseCursor(cursor, folderPosition(path_prefix))[1]
  const folderCounts = await db.inWorkspace(principal.workspace_id, tx =>
    countFolders(tx, path_prefix, { ...buildVisibility(principal, query), limit: limit + 1, after }),
  )
  const all = addParents(folderCounts, path_prefix, after)
  const page = all.slice(0, limit)
  const last = page.at(-1)
  if (!last || all.length <= limit) return { folders: page }
  return { folders: page, cursor: formatCursor(['folder', last.path]) }
}

const buildVisibility = (principal: Principal, { tree_profile }: TreeQuery) => ({
  brain_ids: contextBrains(principal),
  kinds: listKinds(tree_profile),
})

/**
 * Adds the folders that contain only folders. The tree is traversed depth first, so the missing folders before an
 * entry are the entry's ancestors that are not ancestors of the previous entry.
 */
function addParents(folderCounts: FolderCount[], top: string, after: string | undefined): FolderEntry[] {
  let before = after
  return folderCounts.flatMap(({ path, resources }) => {
    const missing = pathsBetween(path, top).filter(folder => before === undefined || !isWithin(before, folder))
    before = path
    return missing.map(folder => ({
      path: folder,
      title: folder === ROOT ? ROOT : getBaseName(folder),
      resources: folder === path ? resources : 0,
    }))
  })
}

/** Returns the folders from `top` down to `path`, inclusive. */
function pathsBetween(path: string, top: string): string[] {
  const names = path
    .slice(top === ROOT ? 0 : top.length)
    .split('/')
    .filter(Boolean)
  const way = [top]
  for (const name of names) way.push(joinPath(way.at(-1) ?? top, name))
  return way
}

const pathWithin = (top: string) => z.string().refine(path => folderProblem(path) === undefined && isWithin(path, top))
const rowPosition = (top: string) => z.tuple([z.literal('row'), pathWithin(top), titleText, z.uuid()])
const folderPosition = (top: string) => z.tuple([z.literal('folder'), pathWithin(top)])
