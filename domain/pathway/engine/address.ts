import type { Graph, GraphNode } from '../graph.ts'

/** A key names one visit of one node: `review`, `each[3]/fetch`, `outer[0]/inner[2]/fetch`. */
export const keyOf = (frameId: string, nodeId: string): string => (frameId ? `${frameId}/${nodeId}` : nodeId)

export const frameIdOf = (ownerKey: string, index: number): string => `${ownerKey}[${index}]`

export function splitKey(key: string): { frameId: string; nodeId: string } {
  const cut = key.lastIndexOf('/')
  return cut < 0 ? { frameId: '', nodeId: key } : { frameId: key.slice(0, cut), nodeId: key.slice(cut + 1) }
}

/** The key of the `map` or `loop` that opened a frame, and which turn it is. */
export function ownerOf(frameId: string): { key: string; index: number } {
  const cut = frameId.lastIndexOf('[')
  return { key: frameId.slice(0, cut), index: Number(frameId.slice(cut + 1, -1)) }
}

/** Frame ids from the innermost out to the pathway itself (''). */
export function enclosing(frameId: string): string[] {
  const chain = [frameId]
  let current = frameId
  while (current) {
    current = splitKey(ownerOf(current).key).frameId
    chain.push(current)
  }
  return chain
}

/** Ids of the nodes that hold a frame's graph, outermost first. */
export const pathOf = (frameId: string): string[] =>
  frameId === '' ? [] : frameId.split('/').map(step => step.slice(0, step.lastIndexOf('[')))

export function graphAt(root: Graph, path: readonly string[]): Graph {
  return path.reduce((graph, id) => {
    const body = graph.nodes.get(id)?.body
    if (!body) throw new Error(`no body at ${path.join('/')}`)
    return body
  }, root)
}

export function nodeAt(root: Graph, key: string): GraphNode {
  const { frameId, nodeId } = splitKey(key)
  const found = graphAt(root, pathOf(frameId)).nodes.get(nodeId)
  if (!found) throw new Error(`no node at ${key}`)
  return found
}
