import type { Tx } from '../shared/database.ts'
import { select } from '../shared/statements.ts'
import { bigint, integer, list, nullable, pick, text, type Row } from '../shared/table.ts'
import { visibleResourcesSql, visibilityParameters } from './visible-resources.ts'
import type { Brains, ResourceKind } from './resources-store.ts'
import { resourcesTable } from './tables.ts'
import { getPrefix, getLowerBound, getUpperBound, getSuccessor, toPath, getSubtree, toTreeKey } from './tree-key.ts'

export const LISTED = pick(resourcesTable, 'id', 'slug', 'kind', 'title', 'path', 'version', 'created_at', 'updated_at')
/** A head without its document. */
export type ListedResource = Row<typeof LISTED>

/** Selects the resources that a tree listing includes. */
export interface Visibility {
  brain_ids: Brains
  /** Undefined means all kinds. */
  kinds?: readonly ResourceKind[]
}

/** The sort key of a resource within its folder. */
export interface ResourcePosition {
  title: string
  id: string
}

/** A folder whose children are listed, from the beginning or after a given child. */
export interface Parent {
  path: string
  after?: { folder: string } | ResourcePosition
}

/** The direct children of a folder: folders by name, then resources by title. */
export interface Children {
  /** Paths. */
  folders: string[]
  resources: ListedResource[]
}

const NIL = '00000000-0000-0000-0000-000000000000'

/** The resource columns are null in rows for folders. */
const CHILD = { parent: bigint(), place: nullable(integer()), folder: nullable(text()), ...LISTED }

/**
 * Returns the first `limit` children of each parent in one statement, sorted by name or title in byte order. A folder
 * exists only while its subtree contains a visible resource. Each folder costs one index lookup, which skips to the
 * first key beyond the folder's subtree.
 */
export async function listChildren(
  tx: Tx,
  parents: Parent[],
  { brain_ids, kinds, limit }: Visibility & { limit: number },
): Promise<Children[]> {
  const rows = await select(tx, CHILD, buildChildrenSql(brain_ids, kinds), [
    parents.map(({ path }) => toTreeKey(path)),
    parents.map(({ path }) => getPrefix(path)),
    parents.map(({ path }) => getUpperBound(path)),
    parents.map(getFolderStart),
    parents.map(({ after }) => (after && 'id' in after ? after.title : '')),
    parents.map(({ after }) => (after && 'id' in after ? after.id : NIL)),
    limit,
    ...visibilityParameters(brain_ids),
  ])
  const children = parents.map((): Children => ({ folders: [], resources: [] }))
  for (const { parent, place: _place, folder, ...resource } of rows) {
    if (folder === null) children[parent - 1]?.resources.push(resource)
    else children[parent - 1]?.folders.push(toPath(folder))
  }
  return children
}

/**
 * Returns the tree key after which to list folders. If all folders are listed, returns the end of the parent's
 * subtree.
 */
function getFolderStart({ path, after }: Parent): string {
  if (after === undefined) return getLowerBound(path)
  return getUpperBound('folder' in after ? after.folder : path)
}

function buildChildrenSql(brains: Brains, kinds: Visibility['kinds']): string {
  const isOfKind = kinds ? `and kind in (${kinds.map(kind => `'${kind}'`).join(', ')})` : ''
  return `
    with recursive parents as (
      select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::uuid[]) with ordinality
        as given (own, base, until, start, after_title, after_id, parent)
    ), walk as (${buildFoldersSql(brains, isOfKind)}), leaves as (${buildResourcesSql(brains, isOfKind)})
    select * from (
      select parent, place, folder, ${Object.keys(LISTED)
        .map(column => `null as ${column}`)
        .join(', ')} from walk
      union all
      select leaves.parent, null, null, ${list(LISTED, 'resources')}
        from leaves join resources on resources.id = leaves.id
    ) children
     order by parent, place, folder, title collate "C", id`
}

/**
 * Builds the recursive query that finds the folders by skipping from each folder to the first key beyond its subtree.
 */
function buildFoldersSql(brains: Brains, isOfKind: string): string {
  const firstKey = (after: string, until: string) => `
    select tree_key from (${visibleResourcesSql(
      brains,
      '$8',
      (condition, lead) => `
        select tree_key from resources where ${condition} ${isOfKind} and tree_key > ${after} and tree_key < ${until}
         order by ${lead}tree_key limit 1`,
    )}) next order by tree_key limit 1`
  const folder = `base || chr(1) || split_part(substr(tree_key, length(base) + 2), chr(1), 1) as folder`
  return `
    select parent, 1 as place, base, until, ${folder}
      from parents, lateral (${firstKey('parents.start', 'parents.until')}) found
    union all
    select parent, place + 1, base, until, ${folder}
      from (select *, folder || chr(2) as past from walk where place < $7) last,
           lateral (${firstKey('last.past', 'last.until')}) found`
}

/** Builds the query for each parent's resources. `limit` applies to its folders and resources together. */
function buildResourcesSql(brains: Brains, isOfKind: string): string {
  const room = '$7 - coalesce(walked.folders, 0)'
  const ownSql = visibleResourcesSql(
    brains,
    '$8',
    (condition, lead) => `
      select id, title from resources
       where ${condition} ${isOfKind} and tree_key = parents.own
         and (title collate "C", id) > (parents.after_title, parents.after_id)
       order by ${lead}title collate "C", id limit ${room}`,
  )
  return `
    select parents.parent, leaf.id
      from parents left join (select parent, count(*) as folders from walk group by parent) walked using (parent),
           lateral (select id from (${ownSql}) next order by title collate "C", id limit ${room}) leaf`
}

/** Lists the resources in a subtree in tree order: a folder's resources by title, then its subfolders by name. */
export async function listTree(
  tx: Tx,
  folder: string,
  { brain_ids, kinds, limit, after }: Visibility & { limit: number; after?: ResourcePosition & { path: string } },
): Promise<ListedResource[]> {
  const { from, until } = getSubtree(folder)
  // A single lower bound is needed, because the index scan starts at the first bound.
  const start = after ? [toTreeKey(after.path), after.title, after.id] : [from, '', NIL]
  const page = visibleResourcesSql(
    brain_ids,
    '$7',
    (condition, lead) => `
      select id, tree_key, title from resources
       where ${condition} and (tree_key, title collate "C", id) > ($1, $2, $3::uuid) and tree_key < $4
         and ($5::text[] is null or kind = any($5))
       order by ${lead}tree_key, title collate "C", id limit $6`,
  )
  return select(
    tx,
    LISTED,
    `select ${list(LISTED, 'resources')}
       from (select * from (${page}) found order by tree_key, title collate "C", id limit $6) page
       join resources on resources.id = page.id
      order by page.tree_key, page.title collate "C", page.id`,
    [...start, until, kinds ?? null, limit, ...visibilityParameters(brain_ids)],
  )
}

export interface FolderCount {
  path: string
  /** The number of resources directly in the folder, without subfolders. */
  resources: number
}

const COUNT = { tree_key: text(), resources: bigint() }

/** Lists the folders in a subtree that directly contain resources, in tree order. */
export async function countFolders(
  tx: Tx,
  folder: string,
  { brain_ids, kinds, limit, after }: Visibility & { limit: number; after?: string },
): Promise<FolderCount[]> {
  const { from, until } = getSubtree(folder)
  const counts = visibleResourcesSql(
    brain_ids,
    '$5',
    (condition, lead) => `
      select tree_key, count(*) as resources from resources
       where ${condition} and tree_key >= $1 and tree_key < $2 and ($3::text[] is null or kind = any($3))
       group by ${lead}tree_key order by ${lead}tree_key limit $4`,
  )
  const rows = await select(
    tx,
    COUNT,
    `select tree_key, sum(resources)::bigint as resources from (${counts}) found
      group by tree_key order by tree_key limit $4`,
    [after === undefined ? from : getSuccessor(after), until, kinds ?? null, limit, ...visibilityParameters(brain_ids)],
  )
  return rows.map(({ tree_key, resources }) => ({ path: toPath(tree_key), resources }))
}
