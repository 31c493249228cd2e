import { z } from 'zod'
import { HIDDEN_KINDS, RESOURCE_KINDS } from '../../domain/resources/kinds/index.ts'
import { folderPath, kindName } from '../../domain/resources/names.ts'
import { type NodeKey, parseNodeKey } from '../../domain/resources/node-key.ts'
import { MAX_PATH_BYTES, ROOT } from '../../domain/resources/paths.ts'
import { pagination } from '../shared/page.ts'
import { limit as queryLimit } from '../shared/query.ts'
import { line } from '../shared/text.ts'
import { timestamp } from '../shared/time.ts'
import { resource } from './resource.ts'

const MAX_PARENTS = 100
/** Limits for one batch response. */
const MAX_NODES = 5_000
const MAX_RESOURCES = 1_000
const MAX_FOLDERS = 100

const nodeKey = line('folder:'.length + MAX_PATH_BYTES).transform((text, context): NodeKey => {
  const key = parseNodeKey(text)
  if (key) return key
  context.issues.push({
    code: 'custom',
    input: text,
    message: 'must be a key such as folder:/finance or resource:<id>',
  })
  return z.NEVER
})

const limit = z.int().min(1).max(200).default(50)
const cursor = z.string().max(10_000).optional().meta({ description: 'The `cursor` of the previous page' })
/** `document` lists document kinds, `broad` all kinds. */
const profile = z.enum(['document', 'broad']).default('broad')

export type Profile = z.output<typeof profile>

export const browseBody = z.strictObject({
  type: kindName.meta({ description: `One of ${RESOURCE_KINDS.join(', ')}, in plural or singular` }),
  limit,
  offset: z.int().min(0).max(1_000_000_000).default(0),
  full_heads: z.boolean().default(false).meta({ description: 'Includes the complete resource heads' }),
})

/** Selects one page of resources of one kind. */
export type BrowseQuery = z.output<typeof browseBody>

export const resourceTreeBody = z
  .strictObject({
    parent_key: nodeKey.optional().meta({ description: '`folder:<path>` or `resource:<id>`. Default: the root.' }),
    parent_keys: z
      .array(nodeKey)
      .min(1)
      .max(MAX_PARENTS)
      .optional()
      .meta({ description: 'Several keys. Replaces `parent_key`.' }),
    tree_profile: profile.meta({
      description: '`document` lists documents and the folders that contain them, `broad` lists every kind',
    }),
    limit: limit.meta({ description: 'Maximum number of nodes per parent' }),
    cursor,
  })
  .refine(({ parent_key, parent_keys }) => !parent_key || !parent_keys, {
    path: ['parent_keys'],
    message: 'must not be combined with parent_key',
  })
  .refine(({ parent_keys, cursor }) => !parent_keys || cursor === undefined, {
    path: ['cursor'],
    message: 'must only be used with parent_key',
  })
  .refine(({ parent_keys, limit }) => (parent_keys?.length ?? 1) * limit <= MAX_NODES, {
    path: ['limit'],
    message: `must be at most ${MAX_NODES} divided by the number of parents`,
  })

/** Selects the children to list. Without a profile, resources of all kinds are listed. */
export type ChildrenQuery = Partial<Pick<z.output<typeof resourceTreeBody>, 'tree_profile'>> &
  Pick<z.output<typeof resourceTreeBody>, 'limit'>

const shape = z.enum(['rows', 'folders']).default('rows')
const treeFields = {
  tree_profile: profile.meta({ description: '`document` lists documents only, `broad` lists every kind' }),
  shape,
  path_prefix: folderPath.default(ROOT).meta({ description: 'Folder to search, including its subfolders' }),
  cursor,
}
export const treeQuery = z.strictObject({ ...treeFields, limit: queryLimit })
export const treeBody = z.strictObject({ ...treeFields, limit })

/** Selects one page of a subtree. */
export type TreeQuery = Omit<z.output<typeof treeBody>, 'shape'>

export const moveBody = z
  .strictObject({
    resource_ids: z.array(z.uuid()).max(MAX_RESOURCES).default([]),
    folders: z
      .array(folderPath)
      .max(MAX_FOLDERS)
      .default([])
      .meta({ description: 'Folders to move, together with their content' }),
    path: folderPath.meta({ description: 'Target folder' }),
    move_profile: profile.meta({ description: '`document` rejects resources that are not documents' }),
  })
  .refine(({ resource_ids, folders }) => resource_ids.length + folders.length > 0, 'must have resource_ids or folders')
  .meta({
    anyOf: ['resource_ids', 'folders'].map(field => ({ required: [field], properties: { [field]: { minItems: 1 } } })),
  })

export type MoveRequest = z.output<typeof moveBody>

const kind = z.enum([...RESOURCE_KINDS, ...HIDDEN_KINDS])

/** A resource head without its document. */
const entry = z
  .object({
    id: z.uuid(),
    slug: z.string(),
    type: kind,
    title: z.string(),
    path: z.string(),
    version: z.int(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'ResourceEntry' })

export type ResourceEntry = z.output<typeof entry>

const nextCursor = z.string().optional().meta({ description: 'Cursor for the next page; absent on the last page' })

export const browsePage = z
  .object({ type: kind, data: z.array(entry), heads: z.array(resource).optional(), pagination })
  .meta({ id: 'BrowsePage' })

/**
 * A page of resources of one kind. `heads` contains the resources with their documents, if the request asked for
 * them.
 */
export type BrowsePage = Pick<z.output<typeof browsePage>, 'data' | 'heads'> & { total: number }

/**
 * A node in the tree. A folder exists only while it contains visible resources, so it always has children. A resource
 * never has children.
 */
const node = z
  .object({
    /** `folder:/a/b` or `resource:<id>`. */
    key: z.string(),
    kind: z.enum(['folder', 'resource']),
    title: z.string(),
    path: z.string().meta({ description: 'Path of the folder, or of the folder that contains the resource' }),
    resource: entry.optional(),
    has_children: z.boolean(),
  })
  .meta({ id: 'TreeNode' })

export type TreeNode = z.output<typeof node>

const nodePage = z.object({ nodes: z.array(node), cursor: nextCursor }).meta({ id: 'TreeNodePage' })

export type NodePage = z.output<typeof nodePage>

export const resourceTree = z
  .union([nodePage, z.object({ parents: z.record(z.string(), nodePage) }).meta({ id: 'TreeNodePages' })])
  .meta({ id: 'ResourceTree' })

const rowPage = z.object({ rows: z.array(entry), cursor: nextCursor }).meta({ id: 'TreeRowPage' })

export type RowPage = z.output<typeof rowPage>

const folderEntry = z.object({
  path: z.string(),
  title: z.string(),
  resources: z.int().meta({ description: 'Number of resources directly in the folder that match the tree profile' }),
})

export type FolderEntry = z.output<typeof folderEntry>

const folderPage = z
  .object({
    folders: z.array(folderEntry),
    cursor: nextCursor,
  })
  .meta({ id: 'TreeFolderPage' })

export type FolderPage = z.output<typeof folderPage>

export const tree = z.union([rowPage, folderPage]).meta({ id: 'Tree' })

export const moved = z
  .object({
    moved: z.array(z.object({ id: z.uuid(), path: z.string() })).meta({
      description: 'The first 1,000 moved resources: those selected by id, then those in the selected folders',
    }),
    folders: z.array(z.object({ from: z.string(), path: z.string(), resources: z.int() })),
    total: z.int().meta({ description: 'Number of moved resources' }),
  })
  .meta({ id: 'Moved' })

export type MoveResult = z.output<typeof moved>
