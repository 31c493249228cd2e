import type { JsonValue } from '../../shared/json/json.ts'
import { joinLabels, type Label } from '../labels/labels.ts'
import type { Graph, GraphNode } from '../graph.ts'
import type { FrameState } from './state.ts'

/**
 * Returns the output of the `end` node that was reached, or of the last node. Several outputs become an object keyed
 * by node id, so the result doesn't depend on the order in which parallel branches finish.
 */
export function computeFrameResult(graph: Graph, frame: FrameState): JsonValue {
  const last = listReached(graph, frame)
  const [only, ...others] = last
  if (!only) return null
  if (others.length === 0) return frame.nodes[only.node.id]?.output ?? null
  return Object.fromEntries(last.map(({ node }) => [node.id, frame.nodes[node.id]?.output ?? null]))
}

/** Returns the combined labels of the outputs in the result. */
export const labelFrameResult = (graph: Graph, frame: FrameState): Label[] =>
  joinLabels(...listReached(graph, frame).map(({ node }) => frame.nodes[node.id]?.labels))

/**
 * Returns the nodes whose outputs form the result: the `end` nodes that were reached, or the last nodes if there are
 * none.
 */
function listReached(graph: Graph, frame: FrameState): GraphNode[] {
  const doneNodes = [...graph.nodes.values()].filter(({ node }) => frame.nodes[node.id]?.status === 'done')
  const ends = doneNodes.filter(({ node }) => node.type === 'end')
  return ends.length > 0 ? ends : doneNodes.filter(({ outgoing }) => outgoing.length === 0)
}
