import type { Problem } from '../../shared/json/json.ts'
import type { Graph, GraphNode } from '../graph.ts'

/**
 * Lists expressions that read nodes which may not have ended. An expression can read the nodes that lead to its node,
 * or to the enclosing `map` or `loop`. A compensation handler is evaluated when the compensated node has ended.
 */
export function referenceProblems(root: Graph, getPointer: (node: GraphNode) => string): Problem[] {
  const ids = new Set(listIds(root))
  const check = (graph: Graph, outer: Set<string>): Problem[] => {
    const before = ancestors(graph)
    return [...graph.nodes.values()].flatMap(node => {
      const compensated = [...graph.nodes.values()].find(other => other.node.compensate === node.node.id)
      const visible = outer.union(before.get(compensated ?? node) ?? new Set<string>())
      if (compensated) visible.add(compensated.node.id)
      return unreadable(node, visible, ids, getPointer(node)).concat(node.body ? check(node.body, visible) : [])
    })
  }
  return check(root, new Set())
}

const listIds = (graph: Graph): string[] =>
  [...graph.nodes].flatMap(([id, { body }]) => (body ? [id].concat(listIds(body)) : [id]))

function unreadable(node: GraphNode, visible: Set<string>, ids: Set<string>, pointer: string): Problem[] {
  return [...node.bindings].flatMap(([at, binding]) => {
    const inBody = at === '/until' ? new Set(node.body?.nodes.keys()) : new Set<string>()
    return binding.nodes
      .filter(id => !visible.has(id) && !inBody.has(id))
      .map(id => ({
        pointer: pointer + at,
        message: ids.has(id)
          ? `nodes.${id} cannot be read here: no path leads from "${id}" to "${node.node.id}"`
          : `there is no node "${id}"`,
      }))
  })
}

/** Returns, for each node, the ids of all nodes from which a path leads to it. */
function ancestors(graph: Graph): Map<GraphNode, Set<string>> {
  const ancestorsByNode = new Map<GraphNode, Set<string>>()
  const sources = new Map<GraphNode, GraphNode[]>()
  for (const node of graph.nodes.values()) {
    for (const { to } of node.outgoing) sources.set(to, [...(sources.get(to) ?? []), node])
  }
  const find = (node: GraphNode): Set<string> => {
    const nodeAncestors = ancestorsByNode.get(node)
    if (nodeAncestors) return nodeAncestors
    const ids = new Set<string>()
    ancestorsByNode.set(node, ids)
    for (const source of sources.get(node) ?? []) {
      ids.add(source.node.id)
      for (const id of find(source)) ids.add(id)
    }
    return ids
  }
  for (const node of graph.nodes.values()) find(node)
  return ancestorsByNode
}
