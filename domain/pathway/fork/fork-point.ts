import type { Graph, GraphNode } from '../graph.ts'
import { getGraph, listEnclosingFrames, parseFrameId, splitKey, toGraphPath } from '../engine/node-keys.ts'

/**
 * Returns a test whether a node is the fork point, or comes after it: in its frame, and after the `map` and `loop` nodes
 * around it.
 */
export function createFollows(root: Graph, from: string): (key: string) => boolean {
  const { frameId, nodeId } = splitKey(from)
  const byFrame = new Map<string, Set<string>>()
  let id = nodeId
  for (const frame of listEnclosingFrames(frameId)) {
    const node = getGraph(root, toGraphPath(frame)).nodes.get(id)
    const following = node ? listFollowing(node) : new Set<string>()
    if (frame === frameId) following.add(nodeId)
    byFrame.set(frame, following)
    if (frame !== '') id = splitKey(parseFrameId(frame).key).nodeId
  }
  return key => {
    const place = splitKey(key)
    return byFrame.get(place.frameId)?.has(place.nodeId) ?? false
  }
}

/** Returns the ids of the nodes of the same graph that a node leads to. */
export function listFollowing(node: GraphNode): Set<string> {
  const found = new Set<string>()
  const visit = ({ outgoing }: GraphNode) => {
    for (const { to } of outgoing) {
      if (found.has(to.node.id)) continue
      found.add(to.node.id)
      visit(to)
    }
  }
  visit(node)
  return found
}

/** Whether a key is inside an iteration of a `map` or `loop`. */
export const isInside = (key: string, owner: string): boolean => key.startsWith(`${owner}[`)

/** The keys of the `map` and `loop` nodes around a key. */
export const listOwners = (key: string): string[] =>
  listEnclosingFrames(splitKey(key).frameId).flatMap(frame => (frame === '' ? [] : parseFrameId(frame).key))

/** Returns the node of a key. Undefined when the pathway has none. */
export function findGraphNode(graph: Graph, key: string): GraphNode | undefined {
  let current: Graph | undefined = graph
  for (const id of toGraphPath(splitKey(key).frameId)) current = current?.nodes.get(id)?.body
  return current?.nodes.get(splitKey(key).nodeId)
}
