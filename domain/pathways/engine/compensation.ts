import { ExpressionError } from '../expressions/expression-error.ts'
import type { ReceiptLine } from '../../runs/nodes.ts'
import type { JsonObject } from '../../shared/json/json.ts'
import type { EffectNode, PathwayNode } from '../definition.ts'
import { getNodeKind } from '../kinds/index.ts'
import { getGraph, buildNodeKey, parseGraphPath, splitKey } from './node-keys.ts'
import { type EngineEvent, isEffect } from './commands.ts'
import type { Transition } from './transition.ts'
import { finish } from './finish.ts'
import { resolveStart } from './node-start.ts'
import { findLast, append, dropLast } from './paged-list.ts'
import type { Compensation, Doubt } from './state.ts'

/** Stores a node's compensation, with the values that the handler reads as of the node's completion. */
export function registerCompensation(transition: Transition, key: string): void {
  const { node } = transition.node(key)
  if (!node.compensate) return
  const { frameId } = splitKey(key)
  const entry = { key, node_id: node.id, handler: node.compensate, path: parseGraphPath(frameId) }
  try {
    const start = resolveStart(transition, buildNodeKey(frameId, node.compensate))
    if (start.type === 'run') addCompensation(transition, { ...entry, with: start.with })
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    addCompensation(transition, { ...entry, error: { code: error.code, message: error.message } })
  }
}

/** Records a failed call that may have taken effect. If the run stops later, its receipt lists the call. */
export function registerDoubt(transition: Transition, key: string): void {
  const { node } = transition.node(key)
  if (mayHaveSideEffects(node)) addCompensation(transition, { key, node_id: node.id, in_doubt: true })
}

/** Returns whether an interrupted activity of the node may leave effects outside the run. */
export const mayHaveSideEffects = (node: PathwayNode): boolean =>
  isEffect(node) && (node.compensate !== undefined || getNodeKind(node.type).effect?.mayHaveSideEffects(node) === true)

const addCompensation = (transition: Transition, compensation: Compensation | Doubt): void =>
  void (transition.state.compensations = append(transition.state.compensations, compensation))

/** Compensates the last completed node. Finishes the run if none is left. */
export function compensateNext(transition: Transition): void {
  let last = findLast(transition.state.compensations)
  for (; last; last = findLast(transition.state.compensations)) {
    const { key, node_id } = last
    if ('in_doubt' in last) recordOutcome(transition, { node_id, key, outcome: 'in_doubt' })
    else if (last.with) return compensate(transition, last, last.with)
    else recordOutcome(transition, { node_id, key, outcome: 'compensation_failed', message: last.error?.message })
  }
  finish(transition, transition.state.outcome ?? 'failed')
}

function compensate(transition: Transition, compensation: Compensation, values: JsonObject): void {
  const key = buildCompensationKey(compensation)
  const handler = getGraph(transition.graph, compensation.path).nodes.get(compensation.handler)
  transition.emitMilestone(key, 'running')
  transition.commands.push({ type: 'compensate', key, node: handler?.node as EffectNode, with: values })
}

/** A handler compensates only one node, so the key is unique. */
const buildCompensationKey = ({ key, handler }: Compensation): string => buildNodeKey(splitKey(key).frameId, handler)

/** Records the outcome of a compensation and starts the next compensation. */
export function completeCompensation(
  transition: Transition,
  { key, error }: Extract<EngineEvent, { type: 'compensated' }>,
): void {
  const last = findLast(transition.state.compensations)
  if (!last || 'in_doubt' in last || transition.state.phase !== 'compensating' || buildCompensationKey(last) !== key)
    return
  const outcome = error ? 'compensation_failed' : 'compensated'
  transition.emitMilestone(key, error ? 'failed' : 'completed', { error })
  if (!error) transition.emitMilestone(last.key, 'compensated')
  recordOutcome(transition, { node_id: last.node_id, key: last.key, outcome, message: error?.message })
  compensateNext(transition)
}

function recordOutcome(transition: Transition, line: ReceiptLine): void {
  transition.state.compensations = dropLast(transition.state.compensations)
  transition.addReceiptLine(line)
}
