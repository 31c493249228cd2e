import type { Graph, GraphNode } from '../graph.ts'
import {
  buildNodeKey,
  getNode,
  listEnclosingFrames,
  parseFrameId,
  parseGraphPath,
  splitKey,
} from '../engine/node-keys.ts'

/** Lists the nodes after a node, in its frame and after the enclosing `map` and `loop` nodes. */
export function listKeysAfter(graph: Graph, key: string): string[] {
  let { nodeId } = splitKey(key)
  return listEnclosingFrames(splitKey(key).frameId).flatMap(frame => {
    const following = listFollowing(getNode(graph, buildNodeKey(frame, nodeId)))
    if (frame !== '') nodeId = splitKey(parseFrameId(frame).key).nodeId
    return [...following].map(({ node }) => buildNodeKey(frame, node.id))
  })
}

/** Returns the nodes of the same graph that are reachable from a node. */
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

/** Returns whether a key is inside an iteration of a `map` or `loop`. */
export const isInside = (key: string, owner: string): boolean => key.startsWith(`${owner}[`)

/** Lists the keys of the `map` and `loop` nodes that enclose a key. */
export const listOwners = (key: string): string[] =>
  listEnclosingFrames(splitKey(key).frameId).flatMap(frame => (frame === '' ? [] : parseFrameId(frame).key))

/** Returns the node with a key, or undefined if the workflow has none. */
export function findGraphNode(graph: Graph, key: string): GraphNode | undefined {
  let current: Graph | undefined = graph
  for (const id of parseGraphPath(splitKey(key).frameId)) current = current?.nodes.get(id)?.body
  return current?.nodes.get(splitKey(key).nodeId)
}
