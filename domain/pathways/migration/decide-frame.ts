import type { Arrivals, FrameState, NodeState } from '../engine/state.ts'
import type { Graph, GraphNode } from '../graph.ts'

/** The edges of a frame that a graph decides, based on the nodes that the run has reached. */
export interface DecidedFrame {
  arrivals: Record<string, Arrivals>
  /** Nodes whose incoming edges are all dead, in graph order. */
  skipped: Set<string>
}

/**
 * Computes which edges are taken or dead from the outcomes of the reached nodes. Edges of active nodes are undecided.
 */
export function decideFrame(graph: Graph, frame: FrameState): DecidedFrame {
  const arrivals: Record<string, Arrivals> = {}
  const skipped = new Set<string>()
  const decide = ({ outgoing, node }: GraphNode, port: string | undefined): void => {
    for (const edge of outgoing) {
      const { from, dead } = arrivals[edge.to.node.id] ?? { from: [], dead: 0 }
      const isTaken = edge.port === port
      arrivals[edge.to.node.id] = isTaken ? { from: [...from, node.id], dead } : { from, dead: dead + 1 }
    }
  }
  for (const [id, { status, port }] of Object.entries(frame.nodes)) {
    const node = graph.nodes.get(id)
    if (node && (status === 'done' || status === 'failed')) decide(node, port)
  }
  const isDead = ({ node: { id }, incoming }: GraphNode) => incoming > 0 && arrivals[id]?.dead === incoming
  for (let hasProgress = true; hasProgress;) {
    hasProgress = false
    for (const node of graph.nodes.values()) {
      const { id } = node.node
      if (isReached(frame.nodes[id]) || skipped.has(id) || !isDead(node)) continue
      skipped.add(id)
      decide(node, undefined)
      hasProgress = true
    }
  }
  return { arrivals, skipped }
}

/** Returns whether the run has started the node. Skipped nodes are decided again. */
export const isReached = (node: NodeState | undefined): boolean => node !== undefined && node.status !== 'skipped'

/** Returns whether a node's incoming edges allow it to start. */
export function isReady({ node, incoming, graph }: GraphNode, arrivals: Arrivals | undefined): boolean {
  if (incoming === 0) return graph.starts.some(start => start.node === node)
  if (!arrivals || arrivals.from.length === 0) return false
  return isDecided(incoming, arrivals) || (isRace(node) && arrivals.from.length >= countNeeded(node))
}

const isDecided = (incoming: number, { from, dead }: Arrivals): boolean => from.length + dead === incoming

/** Returns whether a node may start before all its incoming edges are decided. */
export const isRace = (node: GraphNode['node']): boolean => node.type === 'join' && node.mode !== 'all'

const countNeeded = (node: GraphNode['node']): number => (node.type === 'join' && node.mode === 'n' ? (node.n ?? 1) : 1)
