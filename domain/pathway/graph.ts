import { createCompiler, type Expression, ExpressionError, ROOT_NAMES, type Scope } from '../expressions/expression.ts'
import { compileTemplate } from '../expressions/template.ts'
import type { JsonValue } from '../json.ts'
import { type Body, DEFAULT_PORT, type PathwayDefinition, type PathwayNode } from './definition.ts'
import { kindOf } from './kinds/index.ts'
import type { NodeKind, Reading } from './kinds/kind.ts'

/** A reading, compiled: which nodes it looks at, and how to evaluate it. */
export interface CompiledReading {
  nodes: string[]
  evaluate(scope: Scope): JsonValue
}

/** A node of a compiled graph: its edges resolved, its expressions parsed. */
export interface GraphNode {
  node: PathwayNode
  kind: NodeKind
  incoming: number
  /** Targets by port, in the order of the edges. */
  targets: Map<string, GraphNode[]>
  /** All targets, one entry per edge. */
  outgoing: { port: string; to: GraphNode }[]
  readings: Map<string, CompiledReading>
  body?: Graph
  /** Where its body's frames read their extra names from. */
  graph: Graph
  /** For `any` and `n` joins: nodes whose every way on leads to this join. Set at compile time. */
  losers: GraphNode[]
}

/** A compiled graph: the whole pathway, or the body of a `map` or `loop`. */
export interface Graph {
  nodes: Map<string, GraphNode>
  /** Nodes no edge leads to, which start by themselves. Nodes that only undo others are not among them. */
  starts: GraphNode[]
  parent?: GraphNode
}

/** Called with each expression that can't be read; the pointer is below the graph's own. */
export type ReportProblem = (pointer: string, message: string) => void

const fail: ReportProblem = (pointer, message) => {
  throw new ExpressionError('EXPRESSION_INVALID', `${pointer}: ${message}`)
}

/** Compiles a definition that has passed validation; with `report` it also serves validation itself. */
export function compileGraph(definition: PathwayDefinition, report: ReportProblem = fail): Graph {
  return build(definition, ROOT_NAMES, report, '')
}

function build(body: Body, names: readonly string[], report: ReportProblem, at: string, parent?: GraphNode): Graph {
  const graph: Graph = { nodes: new Map(), starts: [], parent }
  const compile = createCompiler(names)
  body.nodes.forEach((node, i) => {
    const pointer = `${at}/nodes/${i}`
    const compiled: GraphNode = {
      node,
      kind: kindOf(node.type),
      incoming: 0,
      targets: new Map(),
      outgoing: [],
      readings: new Map(),
      graph,
      losers: [],
    }
    for (const reading of compiled.kind.readings(node)) {
      compiled.readings.set(reading.at, compileReading(reading, names, compile, report, pointer))
    }
    graph.nodes.set(node.id, compiled)
    if (node.type === 'map') compiled.body = build(node.body, [...names, 'item', 'index'], report, `${pointer}/body`, compiled)
    if (node.type === 'loop') {
      compiled.body = build(node.body, [...names, 'iteration', 'last'], report, `${pointer}/body`, compiled)
    }
  })
  connect(graph, body)
  return graph
}

function compileReading(
  reading: Reading,
  names: readonly string[],
  compile: (source: string) => Expression,
  report: ReportProblem,
  pointer: string,
): CompiledReading {
  const place = pointer + reading.at
  if ('template' in reading) {
    const template = compileTemplate(reading.template, compile, report, place)
    return {
      nodes: [...new Set(template.expressions.flatMap(expression => expression.nodes))],
      evaluate: scope => template.evaluate(scope),
    }
  }
  try {
    return (reading.names ? createCompiler([...names, ...reading.names]) : compile)(reading.expression)
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    report(place, error.message)
    return { nodes: [], evaluate: () => null }
  }
}

function connect(graph: Graph, body: Body): void {
  for (const edge of body.edges) {
    const from = graph.nodes.get(edge.from)
    const to = graph.nodes.get(edge.to)
    if (!from || !to) continue
    const port = edge.on ?? DEFAULT_PORT
    from.outgoing.push({ port, to })
    from.targets.set(port, [...(from.targets.get(port) ?? []), to])
    to.incoming++
  }
  const undoing = new Set(body.nodes.map(node => node.compensate))
  for (const compiled of graph.nodes.values()) {
    if (compiled.incoming === 0 && !undoing.has(compiled.node.id)) graph.starts.push(compiled)
    if (compiled.node.type === 'join' && compiled.node.mode !== 'all') compiled.losers = losersOf(graph, compiled)
  }
}

/** Nodes that can only lead to the join: once it has gone on, what they do no longer matters. */
function losersOf(graph: Graph, join: GraphNode): GraphNode[] {
  const known = new Map<GraphNode, boolean>([[join, true]])
  const onlyLeadsThere = (node: GraphNode): boolean => {
    const found = known.get(node)
    if (found !== undefined) return found
    known.set(node, false)
    const verdict = node.outgoing.length > 0 && node.outgoing.every(({ to }) => onlyLeadsThere(to))
    known.set(node, verdict)
    return verdict
  }
  return [...graph.nodes.values()].filter(node => node !== join && onlyLeadsThere(node))
}
