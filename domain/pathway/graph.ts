import { ExpressionError, ROOT_NAMES } from '../expressions/expression.ts'
import { Meter } from '../expressions/meter.ts'
import { type Body, DEFAULT_PORT, type PathwayDefinition, type PathwayNode } from './definition.ts'
import { kindOf } from './kinds/index.ts'
import type { NodeKind } from './kinds/kind.ts'
import { type CompiledReading, createReader, type ReportProblem } from './readings.ts'

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
  /** What evaluating its expressions costs; one for the whole pathway. */
  meter: Meter
}

const fail: ReportProblem = (pointer, message) => {
  throw new ExpressionError('EXPRESSION_INVALID', `${pointer}: ${message}`)
}

/** Compiles a definition that has passed validation; with `report` it also serves validation itself. */
export function compileGraph(definition: PathwayDefinition, report: ReportProblem = fail): Graph {
  return build(definition, { names: ROOT_NAMES, report, meter: new Meter() }, '')
}

interface Surroundings {
  names: readonly string[]
  report: ReportProblem
  meter: Meter
}

/** Names a body's expressions know beside those around it. */
const BODY_NAMES = { map: ['item', 'index'], loop: ['iteration', 'last'] }

function build(body: Body, around: Surroundings, at: string, parent?: GraphNode): Graph {
  const { names, report, meter } = around
  const graph: Graph = { nodes: new Map(), starts: [], parent, meter }
  const read = createReader(names, meter, report)
  for (const [i, node] of body.nodes.entries()) {
    const pointer = `${at}/nodes/${i}`
    const kind = kindOf(node.type)
    const readings = new Map(kind.readings(node).map(reading => [reading.at, read(reading, pointer)]))
    const compiled: GraphNode = {
      node,
      kind,
      incoming: 0,
      targets: new Map(),
      outgoing: [],
      readings,
      graph,
      losers: [],
    }
    graph.nodes.set(node.id, compiled)
    if (node.type !== 'map' && node.type !== 'loop') continue
    const inside = { ...around, names: [...names, ...BODY_NAMES[node.type]] }
    compiled.body = build(node.body, inside, `${pointer}/body`, compiled)
  }
  connect(graph, body)
  return graph
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
