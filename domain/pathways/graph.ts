import { ExpressionError } from './expressions/expression-error.ts'
import { ROOT_NAMES } from './expressions/expression.ts'
import { Meter } from './expressions/meter.ts'
import type { JsonSchema } from '../shared/json/json.ts'
import type { PinnedNeuron } from '../agents/run-spec.ts'
import { type Body, DEFAULT_PORT, type PathwayDefinition, type PathwayNode, type PinnedPathway } from './definition.ts'
import { getNodeKind } from './kinds/index.ts'
import type { NodeKind } from './kinds/kind.ts'
import { type CompiledBinding, createBindingCompiler, type ReportProblem } from './bindings.ts'

/** A node with resolved edges and parsed expressions. */
export interface GraphNode {
  node: PathwayNode
  kind: NodeKind
  incoming: number
  /** Targets by port, in edge order. */
  targets: Map<string, GraphNode[]>
  /** All targets, one entry per edge. */
  outgoing: { port: string; to: GraphNode }[]
  bindings: Map<string, CompiledBinding>
  body?: Graph
  graph: Graph
  /** For `any` and `n` joins: nodes from which every path leads to this join. */
  losers: GraphNode[]
  /** Whether people decide in this node: a `human` node, or a node that contains one. */
  decides: boolean
}

/** A compiled graph: the pathway itself, or the body of a `map` or `loop`. */
export interface Graph {
  nodes: Map<string, GraphNode>
  /** Nodes without incoming edges, except compensation handlers. */
  starts: GraphNode[]
  parent?: GraphNode
  /** JSON Schema of the input. Only set for the pathway itself. */
  input?: JsonSchema
  /** Cache: whether all paths from one node to another pass a decision. */
  guarded: Map<string, boolean>
  /** Measures the cost of expressions. Shared by the whole pathway. */
  meter: Meter
  pins: Pins
  /** Cache of value hashes. Shared by the whole pathway. */
  hashes: WeakMap<object, string>
}

/** Pinned versions of a definition's direct and indirect references, by `ref`. */
export interface Pins {
  subflows: Record<string, PinnedPathway>
  neurons?: Record<string, PinnedNeuron>
}

interface CompileOptions {
  /** Called for each invalid expression. Without it, the compiler throws. */
  report?: ReportProblem
  meter?: Meter
  pins?: Pins
}

const fail: ReportProblem = (pointer, message) => {
  throw new ExpressionError('EXPRESSION_INVALID', `${pointer}: ${message}`)
}

/** Compiles a definition. Throws on an invalid expression unless `report` is given. */
export function compileGraph(
  definition: PathwayDefinition,
  { report = fail, meter = new Meter(), pins = { subflows: {} } }: CompileOptions = {},
): Graph {
  const shared = { meter, pins, hashes: new WeakMap<object, string>() }
  const graph = buildGraph(definition, { names: ROOT_NAMES, report, decides: createDecisionCheck(pins), shared }, '')
  return Object.assign(graph, { input: definition.input })
}

interface BuildContext {
  names: readonly string[]
  report: ReportProblem
  decides: (node: PathwayNode) => boolean
  shared: Pick<Graph, 'meter' | 'pins' | 'hashes'>
}

/** Variables added to the scope of a body. */
const BODY_NAMES = { map: ['item', 'index'], loop: ['iteration', 'last'] }

function buildGraph(body: Body, context: BuildContext, at: string, parent?: GraphNode): Graph {
  const { names, report, decides, shared } = context
  const graph: Graph = { nodes: new Map(), starts: [], parent, guarded: new Map(), ...shared }
  const compileBinding = createBindingCompiler(names, shared.meter, report)
  for (const [i, node] of body.nodes.entries()) {
    const pointer = `${at}/nodes/${i}`
    const kind = getNodeKind(node.type)
    const bindings = new Map(kind.bindings(node).map(binding => [binding.at, compileBinding(binding, pointer)]))
    const compiled: GraphNode = {
      node,
      kind,
      incoming: 0,
      targets: new Map(),
      outgoing: [],
      bindings,
      graph,
      losers: [],
      decides: decides(node),
    }
    graph.nodes.set(node.id, compiled)
    if (node.type !== 'map' && node.type !== 'loop') continue
    const inside = { ...context, names: [...names, ...BODY_NAMES[node.type]] }
    compiled.body = buildGraph(node.body, inside, `${pointer}/body`, compiled)
  }
  connectEdges(graph, body)
  return graph
}

/**
 * Returns a function that checks whether people decide in a node, or in the pathway that it starts. Each pathway is
 * checked once.
 */
function createDecisionCheck({ subflows }: Pins): (node: PathwayNode) => boolean {
  const decisions = new Map<string, boolean>()
  const decides = (node: PathwayNode): boolean => {
    if (node.type === 'human') return true
    if (node.type === 'map' || node.type === 'loop') return node.body.nodes.some(decides)
    if (node.type !== 'pathway') return false
    const hasDecision = decisions.get(node.ref) ?? subflows[node.ref]?.definition.nodes.some(decides) ?? false
    decisions.set(node.ref, hasDecision)
    return hasDecision
  }
  return decides
}

function connectEdges(graph: Graph, body: Body): void {
  for (const edge of body.edges) {
    const from = graph.nodes.get(edge.from)
    const to = graph.nodes.get(edge.to)
    if (!from || !to) continue
    const port = edge.on ?? DEFAULT_PORT
    from.outgoing.push({ port, to })
    from.targets.set(port, [...(from.targets.get(port) ?? []), to])
    to.incoming++
  }
  const handlers = new Set(body.nodes.map(node => node.compensate))
  for (const compiled of graph.nodes.values()) {
    if (compiled.incoming === 0 && !handlers.has(compiled.node.id)) graph.starts.push(compiled)
    if (compiled.node.type === 'join' && compiled.node.mode !== 'all') compiled.losers = findLosers(graph, compiled)
  }
}

/** Returns the nodes that lead only to the join. Their outcome is irrelevant once the join has started. */
function findLosers(graph: Graph, join: GraphNode): GraphNode[] {
  const results = new Map<GraphNode, boolean>([[join, true]])
  const onlyLeadsThere = (node: GraphNode): boolean => {
    const result = results.get(node)
    if (result !== undefined) return result
    results.set(node, false)
    const isLoser = node.outgoing.length > 0 && node.outgoing.every(({ to }) => onlyLeadsThere(to))
    results.set(node, isLoser)
    return isLoser
  }
  return [...graph.nodes.values()].filter(node => node !== join && onlyLeadsThere(node))
}
