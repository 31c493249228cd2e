import { parseDurationMs } from '../shared/durations.ts'
import type { Problem } from '../shared/json/json.ts'
import { prefixPointers } from '../shared/json/json-pointer.ts'
import type { Body, PathwayDefinition, PathwayNode } from './definition.ts'
import type { ReportProblem } from './bindings.ts'
import { findFlowProblems } from './flow/problems.ts'
import { compileGraph, type Graph } from './graph.ts'
import { edgeProblems } from './validation/edges.ts'
import { optionalFields, type PlacedBinding, unknownFields } from './validation/inputs.ts'
import { getNodeKind } from './kinds/index.ts'
import { compileRunTitle } from './run-start.ts'
import { schemaProblems } from './kinds/schema-problems.ts'
import { referenceProblems } from './validation/references.ts'
import { shapeProblems } from './validation/shape.ts'

const MAX_WARNINGS = 50

/** Warnings list possible failures in a run, and untrusted content that reaches an effect. */
export type ValidationResult =
  { ok: true; definition: PathwayDefinition; warnings: Problem[] } | { ok: false; problems: Problem[] }

/**
 * Validates a definition as far as possible before a run. Lists all problems by JSON pointer with the prefix `at`,
 * such as `/definition`. References to other pathways are validated when the definition is stored.
 */
export function validateDefinition(raw: unknown, options: { at?: string } = {}): ValidationResult {
  const { problems, warnings = [] } = validate(raw)
  const { at = '' } = options
  return problems.length === 0
    ? { ok: true, definition: raw as PathwayDefinition, warnings: prefixPointers(at, warnings) }
    : { ok: false, problems: prefixPointers(at, problems) }
}

function validate(raw: unknown): { problems: Problem[]; warnings?: Problem[] } {
  const shape = shapeProblems(raw)
  if (shape.length > 0) return { problems: shape }
  const definition = raw as PathwayDefinition
  const pointers = new Map<PathwayNode, string>()
  const problems = [...bodyProblems(definition, '', pointers), ...idProblems(pointers)]
  if (definition.input) problems.push(...schemaProblems(definition.input, '/input'))
  const report = (pointer: string, message: string) => problems.push({ pointer, message })
  const graph = compileGraph(definition, { report })
  const bindings = listBindings(definition, graph, pointers, report)
  if (problems.length > 0) return { problems }
  const unreadable = referenceProblems(graph, node => pointers.get(node.node) ?? '')
  const flows = findFlowProblems(graph)
  const { input } = definition
  if (!input) return { problems: unreadable, warnings: flows.slice(0, MAX_WARNINGS) }
  const unknown = bindings.flatMap(placed => unknownFields(placed, input))
  const optional = bindings.flatMap(placed => optionalFields(placed, input))
  const warnings = [...flows, ...optional].slice(0, MAX_WARNINGS)
  return { problems: [...unreadable, ...unknown], warnings }
}

/** Lists the expressions of all nodes and of the run title. */
function listBindings(
  { run_title }: PathwayDefinition,
  graph: Graph,
  pointers: Map<PathwayNode, string>,
  report: ReportProblem,
): PlacedBinding[] {
  const listOf = ({ nodes }: Graph): PlacedBinding[] =>
    [...nodes.values()].flatMap(({ node, bindings, body }) => {
      const pointer = pointers.get(node) ?? ''
      const ownBindings: PlacedBinding[] = [...bindings].map(([at, binding]) => ({ at: pointer + at, binding }))
      return body ? ownBindings.concat(listOf(body)) : ownBindings
    })
  if (run_title === undefined) return listOf(graph)
  return [...listOf(graph), { at: '/run_title', binding: compileRunTitle(run_title, graph.meter, report) }]
}

function bodyProblems(body: Body, at: string, pointers: Map<PathwayNode, string>): Problem[] {
  const problems = edgeProblems(body, at)
  const inner = body.nodes.flatMap((node, i) => {
    const pointer = `${at}/nodes/${i}`
    pointers.set(node, pointer)
    const nested = 'body' in node ? bodyProblems(node.body, `${pointer}/body`, pointers) : []
    const incoming = body.edges.filter(({ to }) => to === node.id).length
    const nodeProblems = getNodeKind(node.type).problems?.(node, { at: pointer, incoming }) ?? []
    return [...nodeProblems, ...retryProblems(node, pointer), ...nested]
  })
  return [...problems, ...inner]
}

function retryProblems({ retry }: PathwayNode, at: string): Problem[] {
  const [initial, max] = [retry?.initial, retry?.max].map(text => text && parseDurationMs(text))
  if (!initial || !max || initial <= max) return []
  return [{ pointer: `${at}/retry/max`, message: `must be at least initial, ${retry?.initial}` }]
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
