import { isEffect } from '../engine/commands.ts'
import { buildNodeKey, getNode, parseGraphPath, splitKey } from '../engine/node-keys.ts'
import type { EngineState, FrameState } from '../engine/state.ts'
import type { AskedAgain } from '../fork/types.ts'
import type { Graph, GraphNode } from '../graph.ts'
import { describeIterations, findChanges } from './compare-nodes.ts'
import { dropDecisions } from './drop-decisions.ts'
import { moveFrame, pointerOf } from './move-frame.ts'
import type { MigrationPlan, MigrationProblem } from './types.ts'

/** Maximum number of problems in a plan. */
const MAX_PROBLEMS = 50

/**
 * Plans the move of a run to another definition of its pathway. A move is possible if a run of the new definition
 * with the same answers would be in the same place. Each reached node must be unchanged in everything the run has
 * used and be reached by the same edges, and no other node may have started. Pure. Decisions are dropped if they
 * cover different nodes from those that follow them in the definition. People are then asked again.
 * @param at time of the move (ISO 8601)
 * @param answeredKeys keys of unfinished nodes in which people have decided or voted
 */
export function planMigration(
  before: Graph,
  after: Graph,
  current: EngineState,
  at: string,
  answeredKeys: ReadonlySet<string> = new Set(),
): MigrationPlan {
  const moving = findMoving(current)
  if (moving !== undefined) return refuseMove(current, moving)
  const { state, askedKeys, dropped, problems: unaskable } = dropDecisions(before, after, current, answeredKeys)
  const again = new Set(askedKeys)
  const frames: Record<string, FrameState> = {}
  const problems: MigrationProblem[] = []
  const skipped: string[] = []
  const ready: string[] = []
  for (const [id, frame] of Object.entries(state.frames)) {
    const [formerBody, other] = [findBody(before, id), findBody(after, id)]
    // The enclosing frame lacks the node with this body, or has a different one.
    if (!formerBody || !other) continue
    const findIterating = (key: string) => describeIterations(state, key)
    const move = moveFrame({
      frame,
      before: formerBody.graph,
      after: other.graph,
      at: other.at,
      findIterating,
      asked: again,
    })
    frames[id] = move.frame
    problems.push(...move.problems)
    skipped.push(...move.skipped)
    ready.push(...move.ready)
  }
  problems.push(...findCompensationProblems(before, after, state))
  if (problems.length === 0) problems.push(...unaskable)
  return {
    problems: problems.slice(0, MAX_PROBLEMS),
    state: { ...state, frames, ready },
    milestones: skipped.flatMap(key => createSkippedMilestones(after, key, at)),
    asked_again: askedKeys.map(key => describeAskedAgain(before, key)),
    dropped,
  }
}

/** Returns the plan of a run that cannot move. */
export const refuseMove = (state: EngineState, message: string): MigrationPlan => ({
  problems: [{ pointer: '', message }],
  state,
  milestones: [],
  asked_again: [],
  dropped: [],
})

function describeAskedAgain(graph: Graph, key: string): AskedAgain {
  const { id: node_id, type: node_type } = getNode(graph, key).node
  return { key, node_id, node_type, changed: ['definition'] }
}

/**
 * Returns why a run can't move at this point, for example because it is between two steps. Undefined if it can move.
 */
function findMoving({ phase, stopping, ready, frames }: EngineState): string | undefined {
  if (frames[''] === undefined) return 'the run has not started'
  if (phase !== 'running') return 'the run is ending'
  const [key = ready[0]] = Object.keys(stopping)
  return key === undefined ? undefined : `the run is between two steps, at ${key}`
}

/** Returns a frame's graph and the pointer to it, or undefined if the definition has no such graph. */
function findBody(root: Graph, frameId: string): { graph: Graph; at: string } | undefined {
  let body: { graph: Graph; at: string } | undefined = { graph: root, at: '' }
  for (const id of parseGraphPath(frameId)) {
    const inner: GraphNode | undefined = body?.graph.nodes.get(id)
    body = body && inner?.body && { graph: inner.body, at: `${pointerOf(body.graph, id, body.at)}/body` }
  }
  return body
}

/** The handler of a completed node runs as it was defined when the node completed. */
function findCompensationProblems(before: Graph, after: Graph, { compensations }: EngineState): MigrationProblem[] {
  const entries = compensations.flat().flatMap(entry => ('in_doubt' in entry ? [] : [entry]))
  const compensationsByPath = new Map(entries.map(entry => [[...entry.path, entry.handler].join('/'), entry]))
  return [...compensationsByPath.values()].flatMap(({ key, handler, path }): MigrationProblem[] => {
    const frameId = path.map(id => `${id}[0]`).join('/')
    const [formerBody, other] = [findBody(before, frameId), findBody(after, frameId)]
    const [node, now] = [formerBody?.graph.nodes.get(handler), other?.graph.nodes.get(handler)]
    const node_key = buildNodeKey(splitKey(key).frameId, handler)
    const reason = `it compensates ${key}, which the run has completed`
    if (!node) return []
    if (!other || !now || !isEffect(now.node))
      return [{ pointer: `${other?.at ?? ''}/nodes`, message: `must have ${handler}, because ${reason}`, node_key }]
    return findChanges(node.node, now.node, 'active').map(field => ({
      pointer: `${pointerOf(other.graph, handler, other.at)}${field}`,
      message: `must be the same as in the version that the run uses, because ${reason}`,
      node_key,
    }))
  })
}

function createSkippedMilestones(graph: Graph, key: string, at: string): MigrationPlan['milestones'] {
  const { frameId, nodeId } = splitKey(key)
  const node = findBody(graph, frameId)?.graph.nodes.get(nodeId)?.node
  if (!node) return []
  const title = node.title?.includes('${') ? undefined : node.title
  return [{ key, node_id: node.id, node_type: node.type, title, status: 'skipped', at }]
}
