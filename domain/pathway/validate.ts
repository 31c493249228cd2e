import type { Problem } from '../json.ts'
import { prefixPointers } from '../json-pointer.ts'
import type { Body, PathwayDefinition, PathwayNode } from './definition.ts'
import { compileGraph, type GraphNode } from './graph.ts'
import { edgeProblems } from './validation/edges.ts'
import { inputProblems } from './validation/inputs.ts'
import { getNodeKind } from './kinds/index.ts'
import { schemaProblems } from './kinds/schema-problems.ts'
import { referenceProblems } from './validation/references.ts'
import { shapeProblems } from './validation/shape.ts'

export type Validated = { ok: true; definition: PathwayDefinition } | { ok: false; problems: Problem[] }

/**
 * Validates a definition as far as possible before a run, and lists all problems by JSON pointer with the prefix `at`,
 * such as `/definition`. References to other pathways are validated where they are stored.
 */
export function validateDefinition(raw: unknown, options: { at?: string } = {}): Validated {
  const problems = findProblems(raw)
  if (problems.length === 0) return { ok: true, definition: raw as PathwayDefinition }
  return {
    ok: false,
    problems: prefixPointers(options.at ?? '', problems),
  }
}

function findProblems(raw: unknown): Problem[] {
  const shape = shapeProblems(raw)
  if (shape.length > 0) return shape
  const definition = raw as PathwayDefinition
  const pointers = new Map<PathwayNode, string>()
  const problems = [...bodyProblems(definition, '', pointers), ...idProblems(pointers)]
  if (definition.input) problems.push(...schemaProblems(definition.input, '/input'))
  const graph = compileGraph(definition, (pointer, message) => problems.push({ pointer, message }))
  if (problems.length > 0) return problems
  const getPointer = (node: GraphNode) => pointers.get(node.node) ?? ''
  const unknown = definition.input ? inputProblems(graph, definition.input, getPointer) : []
  return [...referenceProblems(graph, getPointer), ...unknown]
}

function bodyProblems(body: Body, at: string, pointers: Map<PathwayNode, string>): Problem[] {
  const own = edgeProblems(body, at)
  const inner = body.nodes.flatMap((node, i) => {
    const pointer = `${at}/nodes/${i}`
    pointers.set(node, pointer)
    const nested = 'body' in node ? bodyProblems(node.body, `${pointer}/body`, pointers) : []
    const incoming = body.edges.filter(({ to }) => to === node.id).length
    return [...(getNodeKind(node.type).problems?.(node, { at: pointer, incoming }) ?? []), ...nested]
  })
  return [...own, ...inner]
}

/** Lists duplicate ids. Ids are unique in the whole definition, so that `nodes.x` has the same meaning everywhere. */
function idProblems(pointers: Map<PathwayNode, string>): Problem[] {
  const pointerById = new Map<string, string>()
  return [...pointers].flatMap(([node, pointer]) => {
    if (node.id in {}) return [{ pointer: `${pointer}/id`, message: `"${node.id}" must not be the id of a node` }]
    const first = pointerById.get(node.id)
    if (first === undefined) pointerById.set(node.id, pointer)
    return first === undefined ? [] : [{ pointer: `${pointer}/id`, message: `"${node.id}" is also the id of ${first}` }]
  })
}
