import { Conflict } from '../../domain/shared/errors.ts'
import type { JsonSchema } from '../../domain/shared/json/json.ts'
import type { ToolkitTarget } from '../../domain/tools/mcp-toolkits.ts'
import { isDuplicate } from '../shared/database-errors.ts'
import type { Tx } from '../shared/database.ts'
import { createFilter, type Page, readPage } from '../shared/page.ts'
import type { Brains } from '../resources/resources-store.ts'
import { isUuid } from '../../domain/shared/uuid.ts'

/** A tool as it is stored. The id is that of a resource, which may be deleted. */
export interface ToolkitTool {
  type: ToolkitTarget
  id: string
  /** Unique in the toolkit. */
  name: string
  /** Null for that of the resource. */
  description: string | null
}

export interface McpToolkit {
  id: string
  slug: string
  name: string
  description: string | null
  tools: ToolkitTool[]
  /** Counts the changes, from 1. */
  version: number
  created_by: string
  created_at: string
  updated_at: string
}

/** The fields that a change replaces. */
export type ToolkitFields = Pick<McpToolkit, 'slug' | 'name' | 'description' | 'tools'>

const COLUMNS = 'id, slug, name, description, tools, version, created_by, created_at, updated_at'

export async function countToolkits(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ count: number }[]>('select count(*) from mcp_toolkits')
  return row?.count ?? 0
}

/** Inserts a toolkit. Returns undefined when another one of the workspace has the slug. */
export async function insertToolkit(
  tx: Tx,
  { id, slug, name, description, tools, created_by }: ToolkitFields & Pick<McpToolkit, 'id' | 'created_by'>,
): Promise<McpToolkit | undefined> {
  const [inserted] = await tx.query<McpToolkit[]>(
    `insert into mcp_toolkits (id, slug, name, description, tools, created_by) values ($1, $2, $3, $4, $5, $6)
     on conflict (workspace_id, slug) do nothing returning ${COLUMNS}`,
    [id, slug, name, description, JSON.stringify(tools), created_by],
  )
  return inserted
}

/** Finds a toolkit by id or slug. `lock` locks its row. */
export async function findToolkit(
  tx: Tx,
  idOrSlug: string,
  { lock = false }: { lock?: boolean } = {},
): Promise<McpToolkit | undefined> {
  const [found] = await tx.query<McpToolkit[]>(
    `select ${COLUMNS} from mcp_toolkits where id = $1::uuid or slug = $2 ${lock ? 'for update' : ''}`,
    [isUuid(idOrSlug) ? idOrSlug : null, idOrSlug],
  )
  return found
}

/** Returns a page of the toolkits, oldest first. */
export const listToolkits = (tx: Tx, { limit, offset }: { limit: number; offset: number }): Promise<Page<McpToolkit>> =>
  readPage<McpToolkit>(
    tx,
    { columns: COLUMNS, from: 'mcp_toolkits', order: 'created_at, id', limit, offset },
    createFilter(),
  )

/** Replaces the fields and counts the version. Throws Conflict when another toolkit of the workspace has the slug. */
export async function updateToolkit(
  tx: Tx,
  id: string,
  { slug, name, description, tools }: ToolkitFields,
): Promise<McpToolkit> {
  const updating = tx.query<[McpToolkit[], number]>(
    `update mcp_toolkits
        set slug = $2, name = $3, description = $4, tools = $5, version = version + 1, updated_at = now()
      where id = $1 returning ${COLUMNS}`,
    [id, slug, name, description, JSON.stringify(tools)],
  )
  const [[updated]] = await updating.catch((error: unknown) => {
    throw isDuplicate(error, 'mcp_toolkits_slug') ? new Conflict(`The slug "${slug}" is taken`) : error
  })
  return updated as McpToolkit
}

export async function deleteToolkit(tx: Tx, id: string): Promise<void> {
  await tx.query('delete from mcp_toolkits where id = $1', [id])
}

/** A pathway or a neuron that a tool runs. */
export interface ToolkitResource {
  id: string
  slug: string
  title: string
  version: number
  is_active: boolean
  description: string | null
  /** The input schema of a pathway, if it has one. Null also when schemas are not asked for. */
  input: JsonSchema | null
}

/**
 * Finds what tools run, by type and id or slug, in one statement: the live resources that are visible with the brains.
 * The result has the order of the list, with undefined for what is not found.
 */
export async function findToolkitResources(
  tx: Tx,
  tools: { type: ToolkitTarget; ref: string }[],
  brains: Brains,
  { schemas }: { schemas: boolean },
): Promise<(ToolkitResource | undefined)[]> {
  if (tools.length === 0) return []
  const found = await tx.query<(ToolkitResource & { position: number })[]>(
    `select wanted.position, head.id, head.slug, head.title, head.version, head.is_active,
            case when $5 then head.document ->> 'description' end as description,
            case when $5 then head.document #> '{definition,input}' end as input
       from unnest($1::text[], $2::uuid[], $3::text[]) with ordinality as wanted (kind, id, slug, position)
       join resources head on head.kind = wanted.kind and head.deleted_at is null
                          and (head.id = wanted.id or head.slug = wanted.slug)
                          and ($4::uuid[] is null or head.brain_id is null or head.brain_id = any($4))`,
    [
      tools.map(({ type }) => `${type}s`),
      tools.map(({ ref }) => (isUuid(ref) ? ref : null)),
      tools.map(({ ref }) => (isUuid(ref) ? null : ref)),
      brains,
      schemas,
    ],
  )
  const byPosition = new Map(found.map(({ position, ...resource }) => [position, resource]))
  return tools.map((_, i) => byPosition.get(i + 1))
}
