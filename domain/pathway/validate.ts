import type { Problem } from '../json.ts'
import { below } from '../json-pointer.ts'
import type { Body, PathwayDefinition, PathwayNode } from './definition.ts'
import { compileGraph, type GraphNode } from './graph.ts'
import { edgeProblems } from './validation/edges.ts'
import { inputProblems } from './validation/inputs.ts'
import { kindOf } from './kinds/index.ts'
import { schemaProblems } from './kinds/schema-problems.ts'
import { referenceProblems } from './validation/references.ts'
import { shapeProblems } from './validation/shape.ts'

export type Validated = { ok: true; definition: PathwayDefinition } | { ok: false; problems: Problem[] }

/**
 * Checks everything about a definition that can be known before it runs, and lists all problems by JSON pointer.
 * `at` is the pointer prefix of the definition in the request, such as `/definition`. References to other pathways are
 * checked where they are stored.
 */
export function validateDefinition(raw: unknown, options: { at?: string } = {}): Validated {
  const problems = problemsOf(raw)
  if (problems.length === 0) return { ok: true, definition: raw as PathwayDefinition }
  return {
    ok: false,
    problems: below(options.at ?? '', problems),
  }
}

function problemsOf(raw: unknown): Problem[] {
  const shape = shapeProblems(raw)
  if (shape.length > 0) return shape
  const definition = raw as PathwayDefinition
  const places = new Map<PathwayNode, string>()
  const problems = [...bodyProblems(definition, '', places), ...idProblems(places)]
  if (definition.input) problems.push(...schemaProblems(definition.input, '/input'))
  const graph = compileGraph(definition, (pointer, message) => problems.push({ pointer, message }))
  if (problems.length > 0) return problems
  const pointerOf = (node: GraphNode) => places.get(node.node) ?? ''
  const unknown = definition.input ? inputProblems(graph, definition.input, pointerOf) : []
  return [...referenceProblems(graph, pointerOf), ...unknown]
}

function bodyProblems(body: Body, at: string, places: Map<PathwayNode, string>): Problem[] {
  const own = edgeProblems(body, at)
  const inner = body.nodes.flatMap((node, i) => {
    const place = `${at}/nodes/${i}`
    places.set(node, place)
    const nested = 'body' in node ? bodyProblems(node.body, `${place}/body`, places) : []
    const incoming = body.edges.filter(({ to }) => to === node.id).length
    return [...(kindOf(node.type).problems?.(node, { at: place, incoming }) ?? []), ...nested]
  })
  return [...own, ...inner]
}

/** Ids are unique over the whole definition, so `nodes.x` never depends on where it is written. */
function idProblems(places: Map<PathwayNode, string>): Problem[] {
  const seen = new Map<string, string>()
  return [...places].flatMap(([node, place]) => {
    if (node.id in {}) return [{ pointer: `${place}/id`, message: `"${node.id}" must not be the id of a node` }]
    const first = seen.get(node.id)
    if (first === undefined) seen.set(node.id, place)
    return first === undefined ? [] : [{ pointer: `${place}/id`, message: `"${node.id}" is also the id of ${first}` }]
  })
}
