import type { JsonValue } from '../../json.ts'
import type { Graph } from '../graph.ts'
import type { FrameState } from './state.ts'

/**
 * What a graph comes to: the output of its `end`, or, with none reached, of its last node. When several were reached:
 * an object of their outputs by node id, so the order in which parallel branches finish never shows.
 */
export function frameResult(graph: Graph, frame: FrameState): JsonValue {
  const done = [...graph.nodes.values()].filter(({ node }) => frame.nodes[node.id]?.status === 'done')
  const ends = done.filter(({ node }) => node.type === 'end')
  const last = ends.length > 0 ? ends : done.filter(({ outgoing }) => outgoing.length === 0)
  const [only, ...others] = last
  if (!only) return null
  if (others.length === 0) return frame.nodes[only.node.id]?.output ?? null
  return Object.fromEntries(last.map(({ node }) => [node.id, frame.nodes[node.id]?.output ?? null]))
}
