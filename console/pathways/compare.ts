import { type Graph, toGraph } from '../graph/graph.ts'
import { listNodes } from './find-node.ts'

export type Change = 'added' | 'removed' | 'changed'

export interface Comparison {
  /** The nodes and edges of both definitions. */
  graph: Graph
  /** By the path of the node; nodes that are the same have none. */
  nodes: Map<string, Change>
  /** By `toEdgeName` of the paths. */
  edges: Map<string, Change>
}

export const toEdgeName = ({ from, port, to }: Graph['edges'][number]): string => `${from} ${port} ${to}`

/** What an earlier and a later definition have in common, and what not. */
export function compareDefinitions(before: unknown, after: unknown): Comparison {
  const [earlier, later] = [toGraph(before), toGraph(after)]
  return {
    graph: merge(earlier, later),
    nodes: compare(listFields(before), listFields(after)),
    edges: compare(listEdges(earlier), listEdges(later)),
  }
}

function merge(earlier: Graph, later: Graph): Graph {
  const nodes = new Map(earlier.nodes.map(node => [node.id, node]))
  for (const node of later.nodes) {
    const before = nodes.get(node.id)?.body
    nodes.set(node.id, { ...node, ...(before && { body: node.body ? merge(before, node.body) : before }) })
  }
  const edges = new Map([...earlier.edges, ...later.edges].map(edge => [toEdgeName(edge), edge]))
  return { nodes: [...nodes.values()], edges: [...edges.values()] }
}

/** The fields of each node without its body, as text. */
const listFields = (definition: unknown) =>
  new Map(listNodes(definition).map(({ path, node: { body: _body, ...fields } }) => [path, JSON.stringify(fields)]))

function listEdges({ nodes, edges }: Graph, prefix = ''): Map<string, string> {
  const own = edges.map(({ from, port, to }) => toEdgeName({ from: prefix + from, port, to: prefix + to }))
  const inner = nodes.flatMap(({ id, body }) => (body ? [...listEdges(body, `${prefix}${id}/`).keys()] : []))
  return new Map([...own, ...inner].map(name => [name, '']))
}

function compare(before: Map<string, string>, after: Map<string, string>): Map<string, Change> {
  const changes = new Map<string, Change>()
  for (const name of before.keys()) if (!after.has(name)) changes.set(name, 'removed')
  for (const [name, value] of after)
    if (before.get(name) !== value) changes.set(name, before.has(name) ? 'changed' : 'added')
  return changes
}
