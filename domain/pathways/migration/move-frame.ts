import { buildNodeKey } from '../engine/node-keys.ts'
import type { Arrivals, FrameState, NodeState } from '../engine/state.ts'
import type { Graph } from '../graph.ts'
import { findChanges, type IterationState } from './compare-nodes.ts'
import { type DecidedFrame, decideFrame, isRace, isReached, isReady } from './decide-frame.ts'
import type { MigrationProblem, ReachedStatus } from './types.ts'

interface Move {
  frame: FrameState
  before: Graph
  after: Graph
  /** Pointer of the graph in the new definition. */
  at: string
  /** Returns the iterations of an active `map` or `loop`, by key. */
  findIterating: (key: string) => IterationState | undefined
  /** Keys of nodes in which people are asked again. */
  asked: ReadonlySet<string>
}

export interface MovedFrame {
  frame: FrameState
  problems: MigrationProblem[]
  /** Keys of nodes that are newly skipped. */
  skipped: string[]
  /** Keys of nodes in which people are asked again immediately. */
  ready: string[]
}

/**
 * Moves one frame to another graph. The new graph must reach every node that the run has reached, in the same way,
 * and no other nodes.
 */
export function moveFrame(move: Move): MovedFrame {
  const { frame, after } = move
  const decision = decideFrame(after, frame)
  const begun = listBegun(move, decision)
  const isAsked = (id: string): boolean => move.asked.has(buildNodeKey(frame.id, id))
  const askedNodes = begun.filter(isAsked)
  const problems = [
    ...findNodeProblems(move),
    ...findRaceProblems(move),
    ...findEdgeProblems(move, decision),
    ...findSkipProblems(move, decision),
    ...findStartProblems(
      move,
      begun.filter(id => !isAsked(id)),
    ),
  ]
  const keptNodes = Object.entries(frame.nodes).filter(([, node]) => isReached(node))
  const skipped = [...decision.skipped]
  const nodes = Object.fromEntries([
    ...keptNodes,
    ...skipped.map((id): [string, NodeState] => [id, { status: 'skipped' }]),
    ...askedNodes.map((id): [string, NodeState] => [id, { status: 'active' }]),
  ])
  const open = frame.open + askedNodes.length
  return {
    problems,
    frame: { ...frame, nodes, arrivals: keepOrder(frame.arrivals, decision.arrivals), open },
    ready: askedNodes.map(id => buildNodeKey(frame.id, id)),
    skipped: skipped.filter(id => frame.nodes[id]?.status !== 'skipped').map(id => buildNodeKey(frame.id, id)),
  }
}

/** Keeps the previous arrivals where they are equal, because these preserve the arrival order of the branches. */
const keepOrder = (before: Record<string, Arrivals>, after: Record<string, Arrivals>): Record<string, Arrivals> =>
  Object.fromEntries(
    Object.entries(after).map(([id, arrivals]) => {
      const former = before[id]
      const isSame = former && former.dead === arrivals.dead && haveSame(former.from, arrivals.from)
      return [id, isSame ? former : arrivals]
    }),
  )

const reachedNodes = ({ frame }: Move): [id: string, status: ReachedStatus][] =>
  Object.entries(frame.nodes).flatMap(([id, { status }]): [string, ReachedStatus][] =>
    status === 'skipped' ? [] : [[id, status]],
  )

const PROGRESS: Record<ReachedStatus, string> = {
  active: 'the node is active in the run',
  done: 'the run has completed the node',
  failed: 'the node failed in the run',
  dropped: 'the run has stopped the node',
}

/** Lists the used parts of reached nodes that differ in the new version. */
function findNodeProblems(move: Move): MigrationProblem[] {
  const { frame, before, after, at, findIterating } = move
  return reachedNodes(move).flatMap(([id, status]): MigrationProblem[] => {
    const node_key = buildNodeKey(frame.id, id)
    const [original, other] = [before.nodes.get(id), after.nodes.get(id)]
    if (!original) return []
    if (!other) return [{ pointer: `${at}/nodes`, message: `must have ${id}, because ${PROGRESS[status]}`, node_key }]
    const isAsked = original.node.type === 'human' && status === 'active'
    const reason = isAsked ? 'the node has an open task' : PROGRESS[status]
    return findChanges(original.node, other.node, status, findIterating(node_key)).map(field => ({
      pointer: `${pointerOf(after, id, at)}${field}`,
      message: `must be the same as in the version that the run uses, because ${reason}`,
      node_key,
    }))
  })
}

/**
 * A join that did not wait for all its branches depends on their order. The edges to reached nodes, and the stopped
 * branches, must therefore be the same.
 */
function findRaceProblems(move: Move): MigrationProblem[] {
  const { frame, before, after, at } = move
  const reached = reachedNodes(move).map(([id]) => id)
  const joins = reached.filter(id => isRaceIn(before, id) || isRaceIn(after, id))
  if (joins.length === 0) return []
  const differs = (id: string): boolean =>
    !haveSame(listIncoming(before, id), listIncoming(after, id)) ||
    (frame.nodes[id]?.status === 'dropped' && !haveSame(listOutgoing(before, id), listOutgoing(after, id))) ||
    (joins.includes(id) && !haveSame(listLosers(before, id), listLosers(after, id)))
  return reached
    .filter(id => after.nodes.has(id) && differs(id))
    .map(id => ({
      pointer: pointerOf(after, id, at),
      message: `must keep its edges: ${joins.join(', ')} continued with the first branches that arrived`,
      node_key: buildNodeKey(frame.id, id),
    }))
}

const isRaceIn = (graph: Graph, id: string): boolean => {
  const node = graph.nodes.get(id)
  return node !== undefined && isRace(node.node)
}

const listIncoming = (graph: Graph, id: string): string[] =>
  [...graph.nodes.values()].flatMap(({ node, outgoing }) =>
    outgoing.filter(({ to }) => to.node.id === id).map(({ port }) => `${node.id} ${port}`),
  )

const listOutgoing = (graph: Graph, id: string): string[] =>
  (graph.nodes.get(id)?.outgoing ?? []).map(({ port, to }) => `${port} ${to.node.id}`)

const listLosers = (graph: Graph, id: string): string[] =>
  (graph.nodes.get(id)?.losers ?? []).map(({ node }) => node.id)

/** Lists reached nodes to which the new edges would not lead, or would lead differently. */
function findEdgeProblems(move: Move, { arrivals }: DecidedFrame): MigrationProblem[] {
  const { frame, after, at } = move
  return reachedNodes(move).flatMap(([id, status]): MigrationProblem[] => {
    const node = after.nodes.get(id)
    if (!node || status === 'dropped') return []
    const former = frame.arrivals[id]?.from ?? []
    const problem = { pointer: pointerOf(after, id, at), node_key: buildNodeKey(frame.id, id) }
    const nodeArrivals = arrivals[id]
    if (!haveSame(former, nodeArrivals?.from ?? [])) {
      const edges = former.length > 0 ? `only by the edges from ${former.join(', ')}` : 'at the start, without an edge'
      return [{ ...problem, message: `must be reached ${edges}, because ${PROGRESS[status]}` }]
    }
    if (former.length === 0 || isReady(node, nodeArrivals)) return []
    return [
      {
        ...problem,
        message: `must not wait for more branches than the run has completed, because ${PROGRESS[status]}`,
      },
    ]
  })
}

/** A skipped node that is in both versions must stay skipped, and no other node may become skipped. */
function findSkipProblems({ frame, before, after, at }: Move, { skipped }: DecidedFrame): MigrationProblem[] {
  const differs = (id: string) => (frame.nodes[id]?.status === 'skipped') !== skipped.has(id)
  return [...after.nodes.keys()]
    .filter(id => before.nodes.has(id) && !isReached(frame.nodes[id]) && differs(id))
    .map(id => ({
      pointer: pointerOf(after, id, at),
      message: skipped.has(id)
        ? 'must be reached by a node that the run has not completed: all edges to it are dead'
        : 'must stay unreachable: the run has skipped it',
      node_key: buildNodeKey(frame.id, id),
    }))
}

/** Lists the ids of nodes that would already have started in the new version. */
const listBegun = ({ frame, after }: Move, { arrivals, skipped }: DecidedFrame): string[] =>
  [...after.nodes.values()]
    .filter(({ node: { id } }) => frame.nodes[id] === undefined && !skipped.has(id))
    .filter(node => isReady(node, arrivals[node.node.id]))
    .map(({ node: { id } }) => id)

const findStartProblems = ({ frame, after, at }: Move, begun: string[]): MigrationProblem[] =>
  begun.map(id => ({
    pointer: pointerOf(after, id, at),
    message: 'must follow a node that the run has not completed: it would already have started',
    node_key: buildNodeKey(frame.id, id),
  }))

/** Returns the pointer to a node in the definition. */
export const pointerOf = ({ nodes }: Graph, id: string, at: string): string =>
  `${at}/nodes/${[...nodes.keys()].indexOf(id)}`

const haveSame = (ids: string[], other: string[]): boolean =>
  ids.length === other.length && ids.toSorted().join(' ') === other.toSorted().join(' ')
