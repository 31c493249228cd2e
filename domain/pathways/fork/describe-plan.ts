import { mayHaveSideEffects } from '../engine/compensation.ts'
import { getGraph, getNode, parseGraphPath, splitKey } from '../engine/node-keys.ts'
import type { Graph } from '../graph.ts'
import { findGraphNode, listKeysAfter, listOwners } from './fork-point.ts'
import type { RecordedOutcomes } from './recorded-outcomes.ts'
import type { Driven, ForkPlan, ForkRequest, RunReason } from './types.ts'

/** Lists what a fork reuses, what runs in it, and which effects are repeated. */
export function describeNodes(
  graph: Graph,
  { nodes, from }: ForkRequest,
  { state, reached }: Driven,
  takeOver: RecordedOutcomes,
): Pick<ForkPlan, 'milestones' | 'copied' | 'reused' | 'asked_again' | 'kept_decisions' | 'runs' | 'repeated'> {
  const heldKeys = new Set(state.ready)
  const endedNodes = reached.filter(
    ({ key, status }) => !heldKeys.has(key) && status !== 'running' && status !== 'waiting',
  )
  const reused = endedNodes
    .filter(({ status }) => status === 'completed' || status === 'failed')
    .map(({ key, node_id, node_type }) => ({ key, node_id, node_type, is_replaced: takeOver.isReplaced(key) }))
  const isCopied = (key: string) => takeOver.taken.has(key) && !takeOver.isReplaced(key)
  const isTaken = (key: string) => [key, ...listOwners(key)].some(ownerKey => takeOver.taken.has(ownerKey))
  const knownKeys = new Set([...heldKeys, ...reused.map(({ key }) => key)])
  const following = [...new Set(state.ready.flatMap(key => listKeysAfter(graph, key)))].filter(
    key => !knownKeys.has(key),
  )
  const keptDecisions = [...takeOver.taken].filter(key => getNode(graph, key).decides && !takeOver.isReplaced(key))
  return {
    milestones: endedNodes.filter(({ key }) => !isCopied(key)),
    copied: nodes.map(({ key }) => key).filter(key => isCopied(key) || listOwners(key).some(isCopied)),
    reused,
    asked_again: [...takeOver.askedAgain].map(([key, changes]) =>
      Object.assign(describeNode(graph, key), { changed: changes }),
    ),
    kept_decisions: keptDecisions,
    runs: [
      ...state.ready.map(key => describeRun(graph, key, findReason(key, from, takeOver))),
      ...following.map(key => describeRun(graph, key, 'after')),
    ],
    repeated: nodes
      .filter(({ key, status }) => status !== 'skipped' && !isTaken(key) && hasEffect(graph, key))
      .map(({ key, node_id, node_type, status }) => ({
        key,
        node_id,
        node_type,
        status,
        decided_at: keptDecisions.filter(decision => listKeysAfter(graph, decision).includes(key)),
      })),
  }
}

const describeRun = (graph: Graph, key: string, reason: RunReason): ForkPlan['runs'][number] => ({
  ...describeNode(graph, key),
  reason,
})

function describeNode(graph: Graph, key: string): { key: string; node_id: string; node_type: string } {
  const { id: node_id, type: node_type } = getNode(graph, key).node
  return { key, node_id, node_type }
}

function findReason(key: string, from: string | undefined, takeOver: RecordedOutcomes): RunReason {
  if (key === from) return 'fork_point'
  if (takeOver.askedAgain.has(key)) return 'asked_again'
  return takeOver.find(key)?.status === 'compensated' ? 'compensated' : 'not_completed'
}

/**
 * Returns whether the node exists in the graph and may change something outside the run, through an activity or a
 * child run.
 */
function hasEffect(graph: Graph, key: string): boolean {
  const { node, kind } = findGraphNode(graph, key) ?? {}
  if (!node || !kind || isHandler(graph, key)) return false
  return kind.isChildRun?.(node) === true || node.type === 'pathway' || mayHaveSideEffects(node)
}

/** Returns whether the node is only a compensation handler. */
function isHandler(graph: Graph, key: string): boolean {
  const { frameId, nodeId } = splitKey(key)
  return [...getGraph(graph, parseGraphPath(frameId)).nodes.values()].some(({ node }) => node.compensate === nodeId)
}
