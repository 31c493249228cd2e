import type { JsonValue } from '../../json.ts'
import type { Graph } from '../graph.ts'
import type { FrameState } from './state.ts'

/**
 * Returns the output of the `end` that was reached, or of the last node when none was. Several outputs become an object
 * by node id, so the result does not depend on the order in which parallel branches finish.
 */
export function computeFrameResult(graph: Graph, frame: FrameState): JsonValue {
  const done = [...graph.nodes.values()].filter(({ node }) => frame.nodes[node.id]?.status === 'done')
  const ends = done.filter(({ node }) => node.type === 'end')
  const last = ends.length > 0 ? ends : done.filter(({ outgoing }) => outgoing.length === 0)
  const [only, ...others] = last
  if (!only) return null
  if (others.length === 0) return frame.nodes[only.node.id]?.output ?? null
  return Object.fromEntries(last.map(({ node }) => [node.id, frame.nodes[node.id]?.output ?? null]))
}
