import { isJsonObject, type JsonObject, type JsonSchema } from '../shared/json/json.ts'
import type { ReflexDocument, ReflexTool } from '../resources/kinds/reflexes.ts'
import { BUILTIN_TOOLS, isBuiltin } from './builtin.ts'
import { toToolName } from './names.ts'
import type { ToolSpec } from './tool-spec.ts'

export interface ListedReflex {
  id: string
  slug: string
  version: number
  title: string
  document: ReflexDocument
}

/** Target of a tool collection: a workflow or agent at the version pinned by the listing. */
export interface ListedTarget {
  id: string
  version: number
  title: string
  description: string | null
  /** JSON Schema of the input, if the target has one. */
  input?: JsonSchema
}

/** Schema of any object, in the form required by all model providers. */
const ANY_OBJECT: JsonSchema = { type: 'object', properties: {} }
const MESSAGE: JsonSchema = {
  type: 'object',
  properties: { message: { type: 'string', minLength: 1, description: 'The question or message' } },
  required: ['message'],
  additionalProperties: false,
}

/** Lists the tools of a tool collection. Returns no tools if the collection's target does not exist. */
export function listToolSpecs(reflex: ListedReflex, target?: ListedTarget): ToolSpec[] {
  const { source, tools, is_short } = reflex.document
  if (source === 'builtin') return listBuiltinSpecs(reflex)
  if (source === 'pathway' || source === 'neuron') return target ? [buildTargetSpec(reflex, source, target)] : []
  const common = buildCommonFields(reflex, source)
  return tools.map(tool => Object.assign(buildToolFields(tool, is_short), common))
}

/** Lists all built-in tools, or only the tools that the tool collection names. */
function listBuiltinSpecs(reflex: ListedReflex): ToolSpec[] {
  const named = reflex.document.tools.map(({ name }) => name)
  const names =
    named.length > 0 ? named.filter(isBuiltin) : (Object.keys(BUILTIN_TOOLS) as (keyof typeof BUILTIN_TOOLS)[])
  const common = buildCommonFields(reflex, 'builtin')
  return names.map(name => Object.assign({ name }, BUILTIN_TOOLS[name], common))
}

function buildTargetSpec(reflex: ListedReflex, source: 'pathway' | 'neuron', target: ListedTarget): ToolSpec {
  const [ownTool] = reflex.document.tools
  return {
    ...buildCommonFields(reflex, source),
    name: ownTool?.name ?? toToolName(reflex.slug.replaceAll('-', '_')),
    description: ownTool?.description || reflex.document.description || target.description || target.title,
    parameters:
      ownTool && Object.keys(ownTool.parameters).length > 0
        ? asObject(ownTool.parameters)
        : buildTargetParameters(source, target.input),
    effect: ownTool?.effect ?? 'write',
    target: `${target.id}@${target.version}`,
  }
}

/** Returns the argument schema of a tool that runs a workflow with this input, or that runs an agent. */
export const buildTargetParameters = (source: 'pathway' | 'neuron', input: JsonSchema = {}): JsonSchema =>
  asObject(source === 'neuron' ? MESSAGE : withPlainRoot(input))

const ALTERNATIVES = ['anyOf', 'oneOf', 'allOf'] as const
const INCOMPLETE = 'Not every combination is valid. The error message explains why a combination was rejected.'

/**
 * Replaces alternatives at the schema root with all of their properties, because model providers and MCP clients
 * reject or drop tools with root alternatives. The target's own schema still validates the input.
 */
function withPlainRoot(schema: JsonSchema): JsonSchema {
  const branches = ALTERNATIVES.flatMap(keyword => schema[keyword] ?? []).filter(isJsonObject)
  if (branches.length === 0) return schema
  const root = Object.entries(schema).filter(([keyword]) => !(ALTERNATIVES as readonly string[]).includes(keyword))
  const properties = [...branches, schema].map(branch => branch.properties).filter(isJsonObject)
  const isObject = [schema, ...branches].some(({ type }) => type === 'object') || properties.length > 0
  return {
    ...Object.fromEntries(root),
    ...(isObject && { type: 'object' }),
    properties: Object.assign({}, ...properties) as JsonObject,
    description: typeof schema.description === 'string' ? `${schema.description} ${INCOMPLETE}` : INCOMPLETE,
  }
}

function buildCommonFields(
  { id, slug, version }: ListedReflex,
  source: ToolSpec['source'],
): Pick<ToolSpec, 'source' | 'reflex'> {
  return { source, reflex: { id, slug, version } }
}

function buildToolFields({ name, description, parameters, effect = 'write' }: ReflexTool, isShort = false) {
  const short = isShort && effect === 'read' ? { is_short: true as const } : {}
  return { name, description, parameters: asObject(parameters), effect, ...short }
}

const asObject = (schema: JsonSchema): JsonSchema => (schema.type === undefined ? { ...ANY_OBJECT, ...schema } : schema)
