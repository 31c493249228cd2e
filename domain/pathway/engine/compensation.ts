import { ExpressionError } from '../../expressions/expression.ts'
import type { ReceiptLine } from '../../jobs.ts'
import { getGraph, toNodeKey, toGraphPath, splitKey } from './node-keys.ts'
import type { EffectNode, EngineEvent } from './commands.ts'
import type { Transition } from './transition.ts'
import { finish } from './finish.ts'
import { resolveStart } from './node-start.ts'
import { getLast, append, dropLast } from './paged-list.ts'
import type { Compensation } from './state.ts'

/** Stores the compensation of a node with the handler's values as of its completion. */
export function registerCompensation(transition: Transition, key: string): void {
  const { node } = transition.node(key)
  if (!node.compensate) return
  const { frameId } = splitKey(key)
  const entry = { key, node_id: node.id, handler: node.compensate, path: toGraphPath(frameId) }
  try {
    const start = resolveStart(transition, toNodeKey(frameId, node.compensate))
    if (start.type === 'run') addCompensation(transition, { ...entry, with: start.with })
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    addCompensation(transition, { ...entry, error: { code: error.code, message: error.message } })
  }
}

const addCompensation = (transition: Transition, compensation: Compensation): void =>
  void (transition.state.compensations = append(transition.state.compensations, compensation))

/** Compensates the last completed node, or finishes the run when none is left. */
export function compensateNext(transition: Transition): void {
  let last = getLast(transition.state.compensations)
  for (; last && !last.with; last = getLast(transition.state.compensations)) {
    recordOutcome(transition, {
      node_id: last.node_id,
      key: last.key,
      outcome: 'compensation_failed',
      message: last.error?.message,
    })
  }
  if (!last?.with) return finish(transition, transition.state.outcome ?? 'failed')
  const key = toCompensationKey(last)
  const handler = getGraph(transition.graph, last.path).nodes.get(last.handler)
  transition.emitMilestone(key, 'running')
  transition.commands.push({ type: 'compensate', key, node: handler?.node as EffectNode, with: last.with })
}

/** A handler compensates one node only, so the key is unique. */
const toCompensationKey = ({ key, handler }: Compensation): string => toNodeKey(splitKey(key).frameId, handler)

/** Records the outcome of a compensation and starts the next one. */
export function completeCompensation(
  transition: Transition,
  { key, error }: Extract<EngineEvent, { type: 'compensated' }>,
): void {
  const last = getLast(transition.state.compensations)
  if (!last || transition.state.phase !== 'compensating' || toCompensationKey(last) !== key) return
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
