import { measureExtent, MAX_DEPTH } from '../../shared/json/json-size.ts'
import type { JsonSchema, JsonValue, Problem } from '../../shared/json/json.ts'
import { compileSchema, type Validate } from '../../shared/schemas/json-schema.ts'
import { findNodeKind, NODE_TYPES } from '../kinds/index.ts'
import { COMMON, EDGE, LINE, type NodeKind, toJsonSchema } from '../kinds/kind.ts'

export const MAX_NODES = 500
const MAX_EDGES = 2_000
/** Maximum nesting of bodies. */
const MAX_BODIES = 3

const GRAPH: { [key: string]: JsonSchema } = {
  nodes: { type: 'array', minItems: 1, maxItems: MAX_NODES, items: { type: 'object', required: ['id', 'type'] } },
  edges: { type: 'array', maxItems: MAX_EDGES, items: toJsonSchema(EDGE) },
}

const graphSchema = (more: { [key: string]: JsonSchema }, required: string[]): JsonSchema => ({
  type: 'object',
  properties: { ...GRAPH, ...more },
  required: ['nodes', 'edges', ...required],
  additionalProperties: false,
})

/** JSON Schemas of a definition and of a body. Nodes are validated individually, by the schemas of their types. */
export const DEFINITION = graphSchema({ schema: { const: 'pathway/1' }, input: { type: 'object' }, run_title: LINE }, [
  'schema',
])
export const BODY = graphSchema({}, [])

/** Compiled on first use, because most processes don't validate pathways. */
const validators = new Map<string, Validate>()

/** Returns the JSON Schema of a node type. */
export function nodeSchema(kind: NodeKind): JsonSchema {
  const { timeout, retry, compensate } = kind.allows
  const { id, title, trust } = COMMON
  return toJsonSchema({
    type: 'object',
    properties: {
      id,
      type: { const: kind.type },
      title,
      trust,
      ...(timeout && { timeout: COMMON.timeout }),
      ...(retry && { retry: COMMON.retry }),
      ...(compensate && { compensate: COMMON.compensate }),
      ...kind.fields.properties,
    },
    required: ['id', 'type', ...kind.fields.required],
    additionalProperties: false,
  })
}

/**
 * Lists problems of types, unknown fields and sizes. Only a definition without such problems is validated as a graph.
 */
export function shapeProblems(raw: unknown): Problem[] {
  if (measureExtent(raw).depth > MAX_DEPTH)
    return [{ pointer: '', message: `must be at most ${MAX_DEPTH} levels deep` }]
  const counter = { nodes: 0 }
  const problems = graphProblems(raw, '', counter, 0)
  if (counter.nodes <= MAX_NODES) return problems
  return [
    {
      pointer: '/nodes',
      message: `must have at most ${MAX_NODES} nodes, including those in bodies, not ${counter.nodes}`,
    },
  ]
}

function graphProblems(raw: unknown, at: string, counter: { nodes: number }, depth: number): Problem[] {
  const nodes = typeof raw === 'object' && raw !== null && 'nodes' in raw ? raw.nodes : undefined
  if (Array.isArray(nodes)) counter.nodes += nodes.length
  if (counter.nodes > MAX_NODES) return []
  const check = depth === 0 ? getValidator('pathway', () => DEFINITION) : getValidator('body', () => BODY)
  const problems = check(raw, at)
  if (problems.length > 0) return problems
  if (depth > MAX_BODIES) return [{ pointer: at, message: `bodies must be nested at most ${MAX_BODIES} levels deep` }]
  return (nodes as JsonValue[]).flatMap((node, i) => nodeProblems(node, `${at}/nodes/${i}`, counter, depth))
}

function nodeProblems(node: JsonValue, at: string, counter: { nodes: number }, depth: number): Problem[] {
  const { type, body } = node as { type: JsonValue; body?: JsonValue }
  const kind = typeof type === 'string' ? findNodeKind(type) : undefined
  if (!kind) return [{ pointer: `${at}/type`, message: `must be one of ${NODE_TYPES.join(', ')}` }]
  const problems = getValidator(`node ${kind.type}`, () => nodeSchema(kind))(node, at)
  if (problems.length > 0 || body === undefined) return problems
  return graphProblems(body, `${at}/body`, counter, depth + 1)
}

function getValidator(name: string, toSchema: () => JsonSchema): Validate {
  const validator = validators.get(name)
  if (validator) return validator
  const result = compileSchema(toSchema())
  if ('problems' in result) throw new Error(`invalid schema: ${JSON.stringify(result.problems)}`)
  validators.set(name, result.validate)
  return result.validate
}
