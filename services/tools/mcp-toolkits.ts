import { randomUUIDv7 } from 'node:crypto'
import { lockWorkspace } from '../../data/access/access-store.ts'
import { writeAudit } from '../../data/audit/audit-store.ts'
import type { Database, Tx } from '../../data/shared/database.ts'
import {
  countToolkits,
  deleteToolkit,
  findToolkit,
  insertToolkit,
  listToolkits,
  type McpToolkit,
  updateToolkit,
} from '../../data/tools/mcp-toolkits-store.ts'
import { Conflict, NotFound, ValidationError } from '../../domain/shared/errors.ts'
import { isReservedToolkit, toolkitSlugProblem } from '../../domain/tools/mcp-toolkits.ts'
import type { Principal } from '../../domain/access/principal.ts'
import { deriveSlug, createUniqueSlug } from '../../domain/shared/text/slug.ts'
import type { ToolkitDetail, ToolkitFields, ToolkitView } from '../../contract/tools/mcp-toolkit.ts'
import type { PageQuery } from '../../contract/shared/query.ts'
import { checkName } from '../access/credentials/key-fields.ts'
import {
  type FoundTool,
  findTools,
  presentTool,
  presentToolDetail,
  resolveTools,
  presentCallable,
  type CallableTool,
} from './mcp-toolkits-tools.ts'

/**
 * A workspace's toolkits: pathways and neurons offered as tools to MCP clients. A toolkit does not grant the right to
 * call its tools. Methods throw NotFound for anything that does not exist in the workspace.
 */
export interface McpToolkits {
  list(principal: Principal, page: PageQuery): Promise<{ data: ToolkitView[]; total: number }>
  read(principal: Principal, idOrSlug: string): Promise<ToolkitDetail>
  /**
   * Throws ValidationError that lists problems with the tools by pointer. Throws Conflict if the slug is taken or the
   * workspace already has the maximum number of toolkits.
   */
  create(principal: Principal, fields: ToolkitFields): Promise<ToolkitDetail>
  /** Replaces all fields. Throws the same errors as `create`, and Conflict if the version is not the expected one. */
  replace(
    principal: Principal,
    idOrSlug: string,
    fields: ToolkitFields,
    expectedVersion?: number,
  ): Promise<ToolkitDetail>
  remove(principal: Principal, idOrSlug: string): Promise<void>
  /** Lists the callable tools that the principal may see, in toolkit order. */
  listTools(principal: Principal, idOrSlug: string): Promise<CallableTool[]>
}

const MAX_TOOLKITS = 100

export function createMcpToolkits({ db }: { db: Database }): McpToolkits {
  const inWorkspace = <T>({ workspace_id }: Principal, work: (tx: Tx) => Promise<T>) =>
    db.inWorkspace(workspace_id, work)

  return {
    list: (principal, page) =>
      inWorkspace(principal, async tx => {
        const { rows, total } = await listToolkits(tx, page)
        const toolLists = await findTools(tx, principal, rows, { schemas: false })
        return { data: rows.map((row, i) => presentListed(row, toolLists[i] ?? [])), total }
      }),

    read: (principal, idOrSlug) =>
      inWorkspace(principal, async tx => {
        const toolkit = await getToolkit(tx, idOrSlug)
        const [tools = []] = await findTools(tx, principal, [toolkit], { schemas: true })
        return presentToolkit(toolkit, tools)
      }),

    create: (principal, fields) =>
      inWorkspace(principal, async tx => {
        const { tools, ...checked } = await checkFields(tx, principal, fields)
        await lockWorkspace(tx)
        if ((await countToolkits(tx)) >= MAX_TOOLKITS)
          throw new Conflict(`The workspace has ${MAX_TOOLKITS} toolkits, which is the maximum`)
        const id = randomUUIDv7()
        const row = { id, created_by: principal.actor, ...checked, tools: tools.map(pickToolFields) }
        const toolkit = await insertWithSlug(tx, row, fields.slug)
        await writeAudit(tx, principal, { action: 'mcp_toolkit.create', target: id, after: toolkit })
        return presentToolkit(toolkit, tools)
      }),

    replace: (principal, idOrSlug, fields, expectedVersion) =>
      inWorkspace(principal, async tx => {
        const before = await getToolkit(tx, idOrSlug, { lock: true })
        const { id, version } = before
        if (expectedVersion !== undefined && expectedVersion !== version)
          throw new Conflict(`The toolkit is at version ${version}, not ${expectedVersion}`)
        const { tools, ...checked } = await checkFields(tx, principal, fields)
        const after = await updateToolkit(tx, id, {
          ...checked,
          slug: fields.slug ?? before.slug,
          tools: tools.map(pickToolFields),
        })
        await writeAudit(tx, principal, { action: 'mcp_toolkit.update', target: id, before, after })
        return presentToolkit(after, tools)
      }),

    remove: (principal, idOrSlug) =>
      inWorkspace(principal, async tx => {
        const before = await getToolkit(tx, idOrSlug, { lock: true })
        await deleteToolkit(tx, before.id)
        await writeAudit(tx, principal, { action: 'mcp_toolkit.delete', target: before.id, before })
      }),

    listTools: (principal, idOrSlug) =>
      inWorkspace(principal, async tx => {
        const toolkit = await getToolkit(tx, idOrSlug)
        const [tools = []] = await findTools(tx, principal, [toolkit], { schemas: true })
        return tools.flatMap(presentCallable)
      }),
  }
}

async function getToolkit(tx: Tx, idOrSlug: string, options?: { lock: boolean }): Promise<McpToolkit> {
  const toolkit = await findToolkit(tx, idOrSlug, options)
  if (!toolkit) throw new NotFound('Toolkit')
  return toolkit
}

/** Throws ValidationError that lists every problem with its pointer. */
async function checkFields(tx: Tx, principal: Principal, { name, slug, description = null, tools }: ToolkitFields) {
  const message = slug === undefined ? undefined : toolkitSlugProblem(slug)
  const resolution = await resolveTools(tx, principal, tools)
  const problems = [...(message ? [{ pointer: '/slug', message }] : []), ...resolution.problems]
  if (problems.length > 0) throw new ValidationError('The toolkit is invalid', problems)
  return { name: checkName(name), description, tools: resolution.tools }
}

/**
 * Inserts a toolkit with the given slug, or with a slug derived from its name. Throws Conflict if the slug is taken.
 */
async function insertWithSlug(
  tx: Tx,
  row: Omit<Parameters<typeof insertToolkit>[1], 'slug'>,
  slug: string | undefined,
): Promise<McpToolkit> {
  const derived = deriveSlug(row.name, 'toolkit', row.id)
  const first = slug ?? (isReservedToolkit(derived) ? createUniqueSlug(derived, row.id) : derived)
  const inserted = await insertToolkit(tx, { ...row, slug: first })
  if (inserted) return inserted
  const second =
    slug === undefined ? await insertToolkit(tx, { ...row, slug: createUniqueSlug(derived, row.id) }) : undefined
  if (!second) throw new Conflict(`The slug "${first}" is taken`)
  return second
}

const pickToolFields = ({ type, id, name, description }: FoundTool) => ({ type, id, name, description })

const presentListed = (toolkit: McpToolkit, tools: FoundTool[]): ToolkitView => ({
  ...toolkit,
  tools: tools.map(presentTool),
})

const presentToolkit = (toolkit: McpToolkit, tools: FoundTool[]): ToolkitDetail => ({
  ...toolkit,
  tools: tools.map(presentToolDetail),
})
