import { Conflict } from '../../domain/shared/errors.ts'
import type { JsonSchema } from '../../domain/shared/json/json.ts'
import type { ToolkitTarget } from '../../domain/tools/mcp-toolkits.ts'
import { isDuplicate } from '../shared/database-errors.ts'
import type { Tx } from '../shared/database.ts'
import { createFilter, type Page, readPage } from '../shared/page.ts'
import type { Brains } from '../resources/resources-store.ts'
import { resourcesTable } from '../resources/tables.ts'
import { execute, insertReturning, requireRow, select, selectOne } from '../shared/statements.ts'
import { bigint, computed, json, list, nullable, omit, pick, text, type Row } from '../shared/table.ts'
import { mcpToolkitsTable } from './tables.ts'
import { isUuid } from '../../domain/shared/uuid.ts'

/** A stored tool. Its id identifies a resource, which may have been deleted. */
export interface ToolkitTool {
  type: ToolkitTarget
  id: string
  /** Unique within the toolkit. */
  name: string
  /** If null, the description of the resource is used. */
  description: string | null
}

const TOOLKIT = omit(mcpToolkitsTable, 'workspace_id')
export type McpToolkit = Row<typeof TOOLKIT>

/** The fields that an update replaces. */
export type ToolkitFields = Pick<McpToolkit, 'slug' | 'name' | 'description' | 'tools'>

export async function countToolkits(tx: Tx): Promise<number> {
  const row = await selectOne(tx, { count: bigint() }, 'select count(*) from mcp_toolkits')
  return requireRow(row).count
}

/** Inserts a toolkit. Returns undefined when another toolkit in the workspace has the slug. */
export async function insertToolkit(
  tx: Tx,
  { id, slug, name, description, tools, created_by }: ToolkitFields & Pick<McpToolkit, 'id' | 'created_by'>,
): Promise<McpToolkit | undefined> {
  const row = { id, slug, name, description, tools, created_by }
  return insertReturning(tx, mcpToolkitsTable, row, TOOLKIT, 'on conflict (workspace_id, slug) do nothing')
}

/** Finds a toolkit by id or slug. With `lock`, locks its row. */
export async function findToolkit(
  tx: Tx,
  idOrSlug: string,
  { lock = false }: { lock?: boolean } = {},
): Promise<McpToolkit | undefined> {
  return selectOne(
    tx,
    TOOLKIT,
    `select ${list(TOOLKIT)} from mcp_toolkits where id = $1::uuid or slug = $2 ${lock ? 'for update' : ''}`,
    [isUuid(idOrSlug) ? idOrSlug : null, idOrSlug],
  )
}

/** Returns a page of toolkits, oldest first. */
export const listToolkits = (tx: Tx, { limit, offset }: { limit: number; offset: number }): Promise<Page<McpToolkit>> =>
  readPage(tx, { columns: TOOLKIT, from: 'mcp_toolkits', order: 'created_at, id', limit, offset }, createFilter())

/**
 * Replaces the fields and increments the version. Throws Conflict when another toolkit in the workspace has the slug.
 */
export async function updateToolkit(
  tx: Tx,
  id: string,
  { slug, name, description, tools }: ToolkitFields,
): Promise<McpToolkit> {
  const updating = selectOne(
    tx,
    TOOLKIT,
    `update mcp_toolkits
        set slug = $2, name = $3, description = $4, tools = $5, version = version + 1, updated_at = now()
      where id = $1 returning ${list(TOOLKIT)}`,
    [id, slug, name, description, JSON.stringify(tools)],
  )
  const updated = await updating.catch((error: unknown) => {
    throw isDuplicate(error, 'mcp_toolkits_slug') ? new Conflict(`The slug "${slug}" is taken`) : error
  })
  return requireRow(updated)
}

export async function deleteToolkit(tx: Tx, id: string): Promise<void> {
  await execute(tx, 'delete from mcp_toolkits where id = $1', [id])
}

const TOOLKIT_RESOURCE = {
  ...pick(resourcesTable, 'id', 'slug', 'title', 'version', 'is_active'),
  description: computed(nullable(text()), `case when $5 then head.document ->> 'description' end`),
  /** The input schema of a pathway, if it has one. Null when schemas are not requested. */
  input: computed(nullable(json<JsonSchema>()), `case when $5 then head.document #> '{definition,input}' end`),
}
/** A pathway or neuron that a tool runs. */
export type ToolkitResource = Row<typeof TOOLKIT_RESOURCE>

const ENTRY = { position: bigint(), ...TOOLKIT_RESOURCE }

/**
 * Returns the live, visible resources that tools run, by type and by id or slug, in one statement. The result has the
 * order of the list. Missing resources are undefined.
 */
export async function findToolkitResources(
  tx: Tx,
  tools: { type: ToolkitTarget; ref: string }[],
  brains: Brains,
  { schemas }: { schemas: boolean },
): Promise<(ToolkitResource | undefined)[]> {
  if (tools.length === 0) return []
  const rows = await select(
    tx,
    ENTRY,
    `select wanted.position, ${list(TOOLKIT_RESOURCE, 'head')}
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
  const byPosition = new Map(rows.map(({ position, ...resource }) => [position, resource]))
  return tools.map((_, i) => byPosition.get(i + 1))
}
