import type { Graph, GraphNode } from '../graph.ts'

/** Builds the key of one activation: `review`, `each[3]/fetch`, `outer[0]/inner[2]/fetch`. */
export const buildNodeKey = (frameId: string, nodeId: string): string => (frameId ? `${frameId}/${nodeId}` : nodeId)

export const buildFrameId = (ownerKey: string, index: number): string => `${ownerKey}[${index}]`

export function splitKey(key: string): { frameId: string; nodeId: string } {
  const cut = key.lastIndexOf('/')
  return cut < 0 ? { frameId: '', nodeId: key } : { frameId: key.slice(0, cut), nodeId: key.slice(cut + 1) }
}

/** Returns the key of the `map` or `loop` that opened a frame, and the iteration index. */
export function parseFrameId(frameId: string): { key: string; index: number } {
  const cut = frameId.lastIndexOf('[')
  return { key: frameId.slice(0, cut), index: Number(frameId.slice(cut + 1, -1)) }
}

/** Lists the frame and its enclosing frames, from the innermost to the pathway (''). */
export function listEnclosingFrames(frameId: string): string[] {
  const chain = [frameId]
  let current = frameId
  while (current) {
    current = splitKey(parseFrameId(current).key).frameId
    chain.push(current)
  }
  return chain
}

/** Returns the ids of the nodes whose bodies contain the frame's graph, outermost first. */
export const parseGraphPath = (frameId: string): string[] =>
  frameId === '' ? [] : frameId.split('/').map(step => step.slice(0, step.lastIndexOf('[')))

export function getGraph(root: Graph, path: readonly string[]): Graph {
  return path.reduce((graph, id) => {
    const body = graph.nodes.get(id)?.body
    if (!body) throw new Error(`no body at ${path.join('/')}`)
    return body
  }, root)
}

export function getNode(root: Graph, key: string): GraphNode {
  const { frameId, nodeId } = splitKey(key)
  const node = getGraph(root, parseGraphPath(frameId)).nodes.get(nodeId)
  if (!node) throw new Error(`no node at ${key}`)
  return node
}
