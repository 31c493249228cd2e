import { mayHaveSideEffects } from '../engine/compensation.ts'
import { getGraph, getNode, splitKey, toGraphPath } from '../engine/node-keys.ts'
import type { Graph } from '../graph.ts'
import { findGraphNode, listKeysAfter, listOwners } from './fork-point.ts'
import type { RecordedOutcomes } from './recorded-outcomes.ts'
import type { Driven, ForkPlan, ForkRequest, RunReason } from './types.ts'

/** Lists what a fork takes over, what runs in it, and what happens a second time. */
export function describeNodes(
  graph: Graph,
  { nodes, from }: ForkRequest,
  { state, reached }: Driven,
  takeOver: RecordedOutcomes,
): Pick<ForkPlan, 'milestones' | 'copied' | 'reused' | 'asked_again' | 'kept_decisions' | 'runs' | 'repeated'> {
  const held = new Set(state.ready)
  const ended = reached.filter(({ key, status }) => !held.has(key) && status !== 'running' && status !== 'waiting')
  const reused = ended
    .filter(({ status }) => status === 'completed' || status === 'failed')
    .map(({ key, node_id, node_type }) => ({ key, node_id, node_type, is_replaced: takeOver.isReplaced(key) }))
  const isCopied = (key: string) => takeOver.taken.has(key) && !takeOver.isReplaced(key)
  const isTaken = (key: string) => [key, ...listOwners(key)].some(one => takeOver.taken.has(one))
  const known = new Set([...held, ...reused.map(({ key }) => key)])
  const following = [...new Set(state.ready.flatMap(key => listKeysAfter(graph, key)))].filter(key => !known.has(key))
  const kept = [...takeOver.taken].filter(key => getNode(graph, key).decides && !takeOver.isReplaced(key))
  return {
    milestones: ended.filter(({ key }) => !isCopied(key)),
    copied: nodes.map(({ key }) => key).filter(key => isCopied(key) || listOwners(key).some(isCopied)),
    reused,
    asked_again: [...takeOver.askedAgain].map(([key, changed]) => Object.assign(toNames(graph, key), { changed })),
    kept_decisions: kept,
    runs: [
      ...state.ready.map(key => toRun(graph, key, findReason(key, from, takeOver))),
      ...following.map(key => toRun(graph, key, 'after')),
    ],
    repeated: nodes
      .filter(({ key, status }) => status !== 'skipped' && !isTaken(key) && hasEffect(graph, key))
      .map(({ key, node_id, node_type, status }) => ({
        key,
        node_id,
        node_type,
        status,
        decided_at: kept.filter(decision => listKeysAfter(graph, decision).includes(key)),
      })),
  }
}

const toRun = (graph: Graph, key: string, reason: RunReason): ForkPlan['runs'][number] => ({
  ...toNames(graph, key),
  reason,
})

function toNames(graph: Graph, key: string): { key: string; node_id: string; node_type: string } {
  const { id: node_id, type: node_type } = getNode(graph, key).node
  return { key, node_id, node_type }
}

function findReason(key: string, from: string | undefined, takeOver: RecordedOutcomes): RunReason {
  if (key === from) return 'fork_point'
  if (takeOver.askedAgain.has(key)) return 'asked_again'
  return takeOver.find(key)?.status === 'compensated' ? 'compensated' : 'not_completed'
}

/** Whether the node is in the pathway and may change something outside the run: by an activity, or by a child run. */
function hasEffect(graph: Graph, key: string): boolean {
  const { node, kind } = findGraphNode(graph, key) ?? {}
  if (!node || !kind || isHandler(graph, key)) return false
  return kind.isChildRun?.(node) === true || node.type === 'pathway' || mayHaveSideEffects(node)
}

/** Whether the node only compensates another one. */
function isHandler(graph: Graph, key: string): boolean {
  const { frameId, nodeId } = splitKey(key)
  return [...getGraph(graph, toGraphPath(frameId)).nodes.values()].some(({ node }) => node.compensate === nodeId)
}
