import type { Tx } from '../../data/shared/database.ts'
import { findToolkitResources, type ToolkitResource, type ToolkitTool } from '../../data/tools/mcp-toolkits-store.ts'
import { RESERVED_TOOLS, type ToolkitTarget } from '../../domain/tools/mcp-toolkits.ts'
import type { JsonSchema, Problem } from '../../domain/shared/json/json.ts'
import type { BrainAccess } from '../../domain/access/principal.ts'
import { buildTargetParameters } from '../../domain/tools/listing.ts'
import { createUniqueNamer } from '../../domain/tools/names.ts'
import type { ToolDetail, ToolFields, ToolView } from '../../contract/tools/mcp-toolkit.ts'
import { visibleBrains } from '../access/brains.ts'

/** A tool as an MCP server offers it. */
export interface CallableTool {
  name: string
  title: string
  description: string
  input_schema: JsonSchema
  /** The target of a call, in its latest version. */
  target: { type: ToolkitTarget; id: string; version: number }
}

/** A tool with its target, if the target exists. */
export type FoundTool = ToolkitTool & { resource?: ToolkitResource }

/** Returns the tools to save, by target id, and the problems with requested tools, by pointer. */
export async function resolveTools(
  tx: Tx,
  principal: BrainAccess,
  toolFields: ToolFields[],
): Promise<{ tools: FoundTool[]; problems: Problem[] }> {
  const resources = await findToolkitResources(tx, toolFields, visibleBrains(principal), { schemas: true })
  const problems = [
    ...toolFields.flatMap((tool, i) => targetProblem(tool, resources[i], `/tools/${i}/ref`)),
    ...listNameProblems(toolFields),
  ]
  const toName = createUniqueNamer(new Set([...RESERVED_TOOLS, ...toolFields.flatMap(({ name }) => name ?? [])]))
  const tools = toolFields.flatMap(({ type, name, description = null }, i) => {
    const resource = resources[i]
    if (!resource) return []
    const derived = () => toName(`run_${resource.slug.replaceAll('-', '_')}`)
    return { type, id: resource.id, name: name ?? derived(), description, resource }
  })
  return { tools, problems }
}

function targetProblem({ type, ref }: ToolFields, resource: ToolkitResource | undefined, pointer: string): Problem[] {
  if (!resource) return [{ pointer, message: `there is no ${type} "${ref}"` }]
  return buildInputSchema(type, resource)
    ? []
    : [{ pointer, message: `the input of the ${type} "${ref}" must be an object` }]
}

function listNameProblems(toolFields: ToolFields[]): Problem[] {
  const names = toolFields.map(({ name }) => name)
  return names.flatMap((name, i) => {
    if (name === undefined) return []
    const pointer = `/tools/${i}/name`
    if (RESERVED_TOOLS.has(name)) return [{ pointer, message: `must not be "${name}", which is a service tool` }]
    return names.indexOf(name) < i ? [{ pointer, message: `another tool has the name "${name}"` }] : []
  })
}

/** Finds the targets of the tools in several toolkits with one statement. */
export async function findTools(
  tx: Tx,
  principal: BrainAccess,
  toolkits: { tools: ToolkitTool[] }[],
  options: { schemas: boolean },
): Promise<FoundTool[][]> {
  const refs = toolkits.flatMap(({ tools }) => tools.map(({ type, id }) => ({ type, ref: id })))
  const resources = await findToolkitResources(tx, refs, visibleBrains(principal), options)
  let next = 0
  return toolkits.map(({ tools }) => tools.map(tool => ({ ...tool, resource: resources[next++] })))
}

/** Returns undefined if a pathway's input is not an object, because tool arguments must be objects. */
function buildInputSchema(type: ToolkitTool['type'], { input }: ToolkitResource): JsonSchema | undefined {
  const schema = buildTargetParameters(type, input ?? undefined)
  return schema.type === 'object' ? schema : undefined
}

export const presentTool = ({ type, id, name, description, resource }: FoundTool): ToolView => ({
  type,
  ref: id,
  name,
  description,
  resource: resource ? presentResource(resource) : null,
})

export const presentToolDetail = (tool: FoundTool): ToolDetail => ({
  ...presentTool(tool),
  input_schema: (tool.resource && buildInputSchema(tool.type, tool.resource)) ?? null,
})

const presentResource = ({ slug, title, version, is_active }: ToolkitResource) => ({ slug, title, version, is_active })

/**
 * Returns an empty list for a tool that has the name of a service tool, or whose resource is missing, inactive or
 * does not accept an object.
 */
export function presentCallable({ type, name, description, resource }: FoundTool): CallableTool[] {
  const isOffered = resource?.is_active && !RESERVED_TOOLS.has(name)
  const input_schema = isOffered ? buildInputSchema(type, resource) : undefined
  if (!resource || !input_schema) return []
  const { id, title, version } = resource
  const text = description || resource.description || title
  return [{ name, title, description: text, input_schema, target: { type, id, version } }]
}
