import type { Graph, GraphNode } from '../graph.ts'

/**
 * Whether every path from a source to a reader passes the port `approve` of an approval. `source` is a node of `graph`;
 * without it, what is read exists when the graph starts. The reader may be inside a body of the graph.
 */
export function isDecided(graph: Graph, source: GraphNode | undefined, reader: GraphNode): boolean {
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
