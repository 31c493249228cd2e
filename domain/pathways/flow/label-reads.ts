import { joinLabels, type Label, type Labels } from '../labels/labels.ts'
import type { CompiledBinding } from '../bindings.ts'
import type { Graph, GraphNode } from '../graph.ts'
import { isConstrained } from './constrained.ts'

/** Labels of the values that expressions read. */
export interface FlowScope {
  input: Labels
  /** Labels of a node's output that is visible to the reader. */
  node(id: string): Labels
  /** Labels of a body variable, such as `item`. */
  variable(name: string): Labels
}

/** An untrusted value that an expression reads, with the pointer to the template. */
interface UntrustedRead {
  at: string
  path: string[]
  labels: Label[]
}

const ITERATING = { item: 'map', last: 'loop' } as const

/** Lists the untrusted values that a node's binding reads. */
export function listUntrustedReads(reader: GraphNode, binding: CompiledBinding, scope: FlowScope): UntrustedRead[] {
  return binding.reads.flatMap(({ at, path }) => {
    const labels = labelRead(reader, path, scope)
    return labels.length > 0 ? [{ at, path, labels }] : []
  })
}

/** Returns the labels of a value that a node reads, except for labels that the node trusts. */
export function labelRead(reader: GraphNode, path: string[], scope: FlowScope): Label[] {
  const { trust } = reader.node
  if (trust === true) return []
  return joinLabels(labelPath(reader, path, scope).filter(label => !trust?.includes(label)))
}

/** Returns the labels of all values that a node reads. */
export const labelAllReads = (reader: GraphNode, scope: FlowScope): Label[] =>
  joinLabels(
    ...[...reader.bindings.values()]
      .flatMap(binding => listUntrustedReads(reader, binding, scope))
      .map(read => read.labels),
  )

function labelPath(reader: GraphNode, [root, ...path]: string[], scope: FlowScope): Labels {
  if (root === 'nodes') return labelNode(reader, path, scope)
  if (root === 'input') {
    const { input } = scope
    const graph = getRoot(reader.graph)
    return input.length === 0 || isConstrained(graph.input, path) || isDecided(graph, undefined, reader) ? [] : input
  }
  if (root !== 'item' && root !== 'last') return []
  const labels = scope.variable(root)
  const body = labels.length > 0 && findBody(reader.graph, ITERATING[root])
  return body && isDecided(body, undefined, reader) ? [] : labels
}

function labelNode(reader: GraphNode, [id = '', ...path]: string[], scope: FlowScope): Labels {
  const labels = scope.node(id)
  const source = labels.length > 0 && findNode(reader.graph, id)
  if (!source) return labels
  // A compensation sends back the output of the compensated node.
  const isOwn = source.node.compensate === reader.node.id
  return isOwn || isClean(source, path) || isDecided(source.graph, source, reader) ? [] : labels
}

/** Returns whether the schema of a model's answer constrains the field. */
function isClean({ node }: GraphNode, [output, data, ...path]: string[]): boolean {
  return node.type === 'neuron' && output === 'output' && data === 'data' && isConstrained(node.with.schema, path)
}

const getRoot = (graph: Graph): Graph => (graph.parent ? getRoot(graph.parent.graph) : graph)

const findNode = (graph: Graph, id: string): GraphNode | undefined =>
  graph.nodes.get(id) ?? (graph.parent && findNode(graph.parent.graph, id))

const findBody = (graph: Graph, type: 'map' | 'loop'): Graph | undefined => {
  if (!graph.parent) return undefined
  return graph.parent.node.type === type ? graph : findBody(graph.parent.graph, type)
}

/**
 * Returns whether every path from a source to a reader passes the `approve` port of an approval. `source` is a node
 * of `graph`; undefined stands for values that exist when the graph starts. The reader may be inside a body of the
 * graph.
 */
function isDecided(graph: Graph, source: GraphNode | undefined, reader: GraphNode): boolean {
  let node = reader
  for (; node.graph !== graph; node = node.graph.parent) {
    if (isGuarded(node.graph, undefined, node)) return true
    if (!node.graph.parent) return false
  }
  return isGuarded(graph, source, node)
}

function isGuarded(graph: Graph, source: GraphNode | undefined, target: GraphNode): boolean {
  const key = `${source?.node.id ?? ''} ${target.node.id}`
  const cachedResult = graph.guarded.get(key)
  if (cachedResult !== undefined) return cachedResult
  const from = source ? source.outgoing.map(({ to }) => to) : graph.starts
  const guarded = !reaches(from, target, true) && reaches(from, target, false)
  graph.guarded.set(key, guarded)
  return guarded
}

function reaches(from: GraphNode[], target: GraphNode, isUndecided: boolean): boolean {
  const open = [...from]
  const visited = new Set(open)
  for (let node = open.pop(); node; node = open.pop()) {
    if (node === target) return true
    for (const { port, to } of node.outgoing) {
      if (visited.has(to) || (isUndecided && port === 'approve' && isApproval(node))) continue
      visited.add(to)
      open.push(to)
    }
  }
  return false
}

const isApproval = ({ node }: GraphNode): boolean => node.type === 'human' && node.kind === 'approval'
