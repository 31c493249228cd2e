import { hasSameCoverage } from '../decisions/covers.ts'
import { buildNodeKey, getNode, parseGraphPath, splitKey } from '../engine/node-keys.ts'
import type { EngineState, FrameState } from '../engine/state.ts'
import { findGraphNode, listFollowing, listKeysAfter, listOwners } from '../fork/fork-point.ts'
import type { Graph, GraphNode } from '../graph.ts'
import { describeIterations } from './compare-nodes.ts'
import { isRace } from './decide-frame.ts'
import type { MigrationProblem } from './types.ts'

/** A run without the decisions that are invalid in the new version. */
interface DroppedDecisions {
  /** The run state, with only those nodes that have no dropped decision in or before them. */
  state: EngineState
  /** Keys of the nodes in which people decide again, except for nodes after another such node. */
  askedKeys: string[]
  /** Keys of all nodes that return to "not reached". Nodes inside them are dropped too, but not listed. */
  dropped: string[]
  problems: MigrationProblem[]
}

/**
 * Drops decisions that cover different nodes from those that follow them in the new version. The nodes of these
 * decisions, and all reached nodes after them, return to "not reached". A decision stays if an effect or a child run
 * after it has started; that is reported as a problem.
 * @param answeredKeys keys of unfinished nodes in which people have decided or voted
 */
export function dropDecisions(
  before: Graph,
  after: Graph,
  state: EngineState,
  answeredKeys: ReadonlySet<string>,
): DroppedDecisions {
  const keys = listDecided(before, state, answeredKeys, createCoverageCheck(before, after))
  const knownKeys = new Set(keys)
  const behind = new Set(keys.flatMap(key => listKeysAfter(before, key)))
  const askedKeys = keys.filter(
    key =>
      ![key, ...listOwners(key)].some(
        ownerKey => behind.has(ownerKey) || (ownerKey !== key && knownKeys.has(ownerKey)),
      ),
  )
  const problems = keys.flatMap(key => findBegun(before, state, key))
  if (problems.length > 0) return { state, askedKeys: [], dropped: [], problems }
  const dropped = [...new Set(askedKeys.flatMap(key => [key, ...listReachedAfter(before, state, key)]))]
  return { state: removeNodes(state, dropped), askedKeys, dropped, problems }
}

/**
 * Returns a function that checks whether a decision at a node covers different nodes in the new version. A decision
 * that covers nothing there must keep its node.
 */
function createCoverageCheck(before: Graph, after: Graph): (key: string) => boolean {
  const coverage = new Map<string, boolean>()
  return key => {
    const { frameId, nodeId } = splitKey(key)
    const path = [...parseGraphPath(frameId), nodeId].join('/')
    const differs = coverage.get(path) ?? isOther(before, after, key)
    coverage.set(path, differs)
    return differs
  }
}

function isOther(before: Graph, after: Graph, key: string): boolean {
  const node = findGraphNode(after, key)
  const isAsking = node?.decides === true && node.node.type === getNode(before, key).node.type
  return isAsking && !hasSameCoverage(before, after, key)
}

function listDecided(
  graph: Graph,
  state: EngineState,
  answeredKeys: ReadonlySet<string>,
  isMeant: (key: string) => boolean,
): string[] {
  const hasDecided = (key: string, status: string): boolean =>
    getNode(graph, key).decides &&
    (status === 'done' || answeredKeys.has(key) || describeIterations(state, key)?.hasEnded === true)
  return Object.values(state.frames).flatMap(({ id, nodes }) =>
    Object.entries(nodes)
      .map(([nodeId, { status }]) => ({ key: buildNodeKey(id, nodeId), status }))
      .filter(({ key, status }) => hasDecided(key, status) && isMeant(key))
      .map(({ key }) => key),
  )
}

/** Lists reached nodes after a decision within its frame, including skipped ones. */
const listReachedAfter = (graph: Graph, { frames }: EngineState, key: string): string[] => {
  const { frameId } = splitKey(key)
  return [...listFollowing(getNode(graph, key))]
    .filter(({ node }) => frames[frameId]?.nodes[node.id] !== undefined)
    .map(({ node }) => buildNodeKey(frameId, node.id))
}

/** Lists what the run has started in or after a decision and cannot undo. */
function findBegun(graph: Graph, state: EngineState, key: string): MigrationProblem[] {
  const begun = [key, ...listReachedAfter(graph, state, key)].find(candidate => {
    const { frameId, nodeId } = splitKey(candidate)
    const status = state.frames[frameId]?.nodes[nodeId]?.status
    return status !== 'skipped' && (status === 'dropped' || !canRepeat(getNode(graph, candidate)))
  })
  if (begun === undefined) return []
  const isOpen = begun === key && state.active[key]
  const reason = begun === key ? '' : `, and the run has started ${begun}`
  const remedy = isOpen ? `wait until it has ended, or cancel the run, then fork` : 'fork'
  return [
    {
      pointer: '',
      message: `people decided at ${key} about other nodes than the new version has after it${reason}: ${remedy} the run at ${key} with the new version to ask them again`,
      node_key: key,
    },
  ]
}

const REPEATABLE = new Set(['human', 'wait', 'transform', 'switch', 'join', 'end', 'map', 'loop'])

/**
 * Returns whether a node can run again: it has no effect, starts no run, and doesn't depend on the order of its
 * branches.
 */
const canRepeat = ({ node, body }: GraphNode): boolean =>
  REPEATABLE.has(node.type) && !isRace(node) && (body === undefined || [...body.nodes.values()].every(canRepeat))

/** Returns a function that checks whether a node was dropped, or is inside a dropped node. */
export function createDroppedCheck(dropped: string[]): (key: string) => boolean {
  const keys = new Set(dropped)
  return key => keys.has(key) || listOwners(key).some(owner => keys.has(owner))
}

function removeNodes(state: EngineState, dropped: string[]): EngineState {
  if (dropped.length === 0) return state
  const isDropped = createDroppedCheck(dropped)
  const keep = <T>(entries: Record<string, T>): Record<string, T> =>
    Object.fromEntries(Object.entries(entries).filter(([key]) => !isDropped(key)))
  const frames = Object.values(state.frames)
    .filter(({ id }) => !isDropped(buildNodeKey(id, '')))
    .map((frame): [string, FrameState] => {
      const nodes = Object.entries(frame.nodes).filter(([id]) => !isDropped(buildNodeKey(frame.id, id)))
      const open = nodes.filter(([, { status }]) => status === 'active').length
      return [frame.id, { ...frame, nodes: Object.fromEntries(nodes), open }]
    })
  return {
    ...state,
    frames: Object.fromEntries(frames),
    iterations: keep(state.iterations),
    active: keep(state.active),
  }
}
