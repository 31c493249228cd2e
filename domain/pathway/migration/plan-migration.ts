import { hasSameCoverage } from '../decisions/covers.ts'
import { isEffect } from '../engine/commands.ts'
import { getNode, parseFrameId, splitKey, toGraphPath, toNodeKey } from '../engine/node-keys.ts'
import type { EngineState, FrameState } from '../engine/state.ts'
import type { Graph, GraphNode } from '../graph.ts'
import { findChanges, type Iterating } from './compare-nodes.ts'
import { moveFrame, pointerOf } from './move-frame.ts'
import type { MigrationPlan, MigrationProblem } from './types.ts'

/** Problems that one plan lists. */
const MAX_PROBLEMS = 50

/**
 * Plans the move of a run to another definition of its pathway. The run can move where a run of that definition with the
 * same answers would be where it is now: each node that it has reached is the same in all that the run has used of it, is
 * reached by the same edges, and no other node would have begun. Pure.
 * @param at time of the move, ISO 8601
 */
export function planMigration(before: Graph, after: Graph, state: EngineState, at: string): MigrationPlan {
  const moving = findMoving(state)
  if (moving !== undefined) return { problems: [{ pointer: '', message: moving }], state, milestones: [] }
  const frames: Record<string, FrameState> = {}
  const problems: MigrationProblem[] = []
  const skipped: string[] = []
  for (const [id, frame] of Object.entries(state.frames)) {
    const [one, other] = [findBody(before, id), findBody(after, id)]
    // The frame around it lacks the node with the body, or has another one.
    if (!one || !other) continue
    const findIterating = (key: string) => describeIterations(state, key)
    const moved = moveFrame({ frame, before: one.graph, after: other.graph, at: other.at, findIterating })
    frames[id] = moved.frame
    problems.push(...moved.problems)
    skipped.push(...moved.skipped)
  }
  problems.push(...findCompensationProblems(before, after, state))
  // Coverage is compared node by node, so both versions must have what the run has reached.
  if (problems.length === 0) problems.push(...findDecisionProblems(before, after, state))
  return {
    problems: problems.slice(0, MAX_PROBLEMS),
    state: { ...state, frames },
    milestones: skipped.flatMap(key => toSkipped(after, key, at)),
  }
}

/** Says why the state is between two steps. Undefined for a state that can be moved. */
function findMoving({ phase, stopping, ready, frames }: EngineState): string | undefined {
  if (frames[''] === undefined) return 'the run has not begun'
  if (phase !== 'running') return 'the run is ending'
  const [key = ready[0]] = Object.keys(stopping)
  return key === undefined ? undefined : `the run is between two steps, at ${key}`
}

/** A decision does not hold for another definition of the nodes behind it, and a run that moves asks no one again. */
function findDecisionProblems(before: Graph, after: Graph, state: EngineState): MigrationProblem[] {
  const keys = Object.values(state.frames).flatMap(({ id, nodes }) =>
    Object.keys(nodes)
      .map(nodeId => toNodeKey(id, nodeId))
      .filter(key => hasDecided(before, state, key)),
  )
  return keys
    .filter(key => !hasSameCoverage(before, after, key))
    .map(key => ({
      pointer: '',
      message: `people decided at ${key} about other nodes than the new version has after it: fork the run at ${key} with the new version to ask them again`,
      node_key: key,
    }))
}

/** Whether people have decided in a node, or in iterations of it that have ended. */
function hasDecided(graph: Graph, state: EngineState, key: string): boolean {
  const { decides } = getNode(graph, key)
  const { frameId, nodeId } = splitKey(key)
  const status = state.frames[frameId]?.nodes[nodeId]?.status
  return decides && (status === 'done' || describeIterations(state, key)?.hasEnded === true)
}

/** Returns the graph of a frame with its pointer. Undefined when the definition has none there. */
function findBody(root: Graph, frameId: string): { graph: Graph; at: string } | undefined {
  let found: { graph: Graph; at: string } | undefined = { graph: root, at: '' }
  for (const id of toGraphPath(frameId)) {
    const inner: GraphNode | undefined = found?.graph.nodes.get(id)
    found = found && inner?.body && { graph: inner.body, at: `${pointerOf(found.graph, id, found.at)}/body` }
  }
  return found
}

/** The state of a `map` or `loop` that the run is in. Undefined for other nodes. */
function describeIterations({ iterations, frames }: EngineState, key: string): Iterating | undefined {
  const progress = iterations[key]
  if (!progress) return undefined
  const open = Object.keys(frames)
    .filter(id => id !== '' && parseFrameId(id).key === key)
    .map(id => parseFrameId(id).index)
  const latest = Math.max(0, ...open)
  return { latest, hasEnded: progress.items ? progress.next > progress.open : latest > 1 }
}

/** A handler of a node that was completed is called as it was then. */
function findCompensationProblems(before: Graph, after: Graph, { compensations }: EngineState): MigrationProblem[] {
  const entries = compensations.flat().flatMap(entry => ('in_doubt' in entry ? [] : [entry]))
  const handled = new Map(entries.map(entry => [[...entry.path, entry.handler].join('/'), entry]))
  return [...handled.values()].flatMap(({ key, handler, path }): MigrationProblem[] => {
    const frameId = path.map(id => `${id}[0]`).join('/')
    const [one, other] = [findBody(before, frameId), findBody(after, frameId)]
    const [node, now] = [one?.graph.nodes.get(handler), other?.graph.nodes.get(handler)]
    const node_key = toNodeKey(splitKey(key).frameId, handler)
    const reason = `it compensates ${key}, which the run has completed`
    if (!node) return []
    if (!other || !now || !isEffect(now.node))
      return [{ pointer: `${other?.at ?? ''}/nodes`, message: `must have ${handler}: ${reason}`, node_key }]
    return findChanges(node.node, now.node, 'active').map(field => ({
      pointer: `${pointerOf(other.graph, handler, other.at)}${field}`,
      message: `must stay as it is in the version of the run: ${reason}`,
      node_key,
    }))
  })
}

function toSkipped(graph: Graph, key: string, at: string): MigrationPlan['milestones'] {
  const { frameId, nodeId } = splitKey(key)
  const node = findBody(graph, frameId)?.graph.nodes.get(nodeId)?.node
  if (!node) return []
  const title = node.title?.includes('${') ? undefined : node.title
  return [{ key, node_id: node.id, node_type: node.type, title, status: 'skipped', at }]
}
