import type { Graph, GraphNode } from '../graph.ts'
import {
  buildNodeKey,
  getNode,
  listEnclosingFrames,
  parseFrameId,
  parseGraphPath,
  splitKey,
} from '../engine/node-keys.ts'

/** Lists the nodes after a node: in its frame, and after the `map` and `loop` nodes around it. */
export function listKeysAfter(graph: Graph, key: string): string[] {
  let { nodeId } = splitKey(key)
  return listEnclosingFrames(splitKey(key).frameId).flatMap(frame => {
    const following = listFollowing(getNode(graph, buildNodeKey(frame, nodeId)))
    if (frame !== '') nodeId = splitKey(parseFrameId(frame).key).nodeId
    return [...following].map(({ node }) => buildNodeKey(frame, node.id))
  })
}

/** Returns the nodes of the same graph that a node leads to. */
export function listFollowing(node: GraphNode): Set<GraphNode> {
  const followers = new Set<GraphNode>()
  const visit = ({ outgoing }: GraphNode) => {
    for (const { to } of outgoing) {
      if (followers.has(to)) continue
      followers.add(to)
      visit(to)
    }
  }
  visit(node)
  return followers
}

/** Whether a key is inside an iteration of a `map` or `loop`. */
export const isInside = (key: string, owner: string): boolean => key.startsWith(`${owner}[`)

/** The keys of the `map` and `loop` nodes around a key. */
export const listOwners = (key: string): string[] =>
  listEnclosingFrames(splitKey(key).frameId).flatMap(frame => (frame === '' ? [] : parseFrameId(frame).key))

/** Returns the node of a key. Undefined when the pathway has none. */
export function findGraphNode(graph: Graph, key: string): GraphNode | undefined {
  let current: Graph | undefined = graph
  for (const id of parseGraphPath(splitKey(key).frameId)) current = current?.nodes.get(id)?.body
  return current?.nodes.get(splitKey(key).nodeId)
}
