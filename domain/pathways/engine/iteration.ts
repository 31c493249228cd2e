import { addDuration } from '../../shared/durations.ts'
import { ExpressionError } from '../expressions/expression-error.ts'
import { joinLabels, type Labels } from '../labels/labels.ts'
import type { NodeError } from '../../runs/nodes.ts'
import type { JsonValue } from '../../shared/json/json.ts'
import { EXHAUSTED_PORT } from '../definition.ts'
import { buildFrameId, getGraph, parseFrameId, parseGraphPath, splitKey } from './node-keys.ts'
import type { Transition, IterationHandlers } from './transition.ts'
import { failNode, finishNode } from './scheduling.ts'
import { computeFrameResult, labelFrameResult } from './frame-result.ts'
import { createPagedList, setAt } from './paged-list.ts'
import { evaluateBinding } from './expression-scope.ts'
import { startFrame } from './start-frame.ts'
import { stopIterations, clearDeadline } from './cancellation.ts'

const DEFAULT_CONCURRENCY = 10

function startMap(transition: Transition, key: string, items: JsonValue[]): void {
  transition.emitMilestone(key, 'running')
  if (items.length === 0) return finishNode(transition, key, [])
  transition.state.iterations[key] = {
    items,
    outputs: createPagedList<JsonValue>(items.length, null),
    next: 0,
    open: 0,
  }
  setDeadline(transition, key)
  const { node } = transition.node(key)
  const concurrency = (node.type === 'map' && node.concurrency) || DEFAULT_CONCURRENCY
  for (let i = 0; i < Math.min(concurrency, items.length); i++) startMapIteration(transition, key)
}

function startLoop(transition: Transition, key: string): void {
  transition.emitMilestone(key, 'running')
  transition.state.iterations[key] = { next: 1, open: 1 }
  setDeadline(transition, key)
  startFrame(transition, transition.openFrame(buildFrameId(key, 1), { iteration: 1, last: null }))
}

function setDeadline(transition: Transition, key: string): void {
  const { node } = transition.node(key)
  if (!node.timeout) return
  transition.state.active[key] = true
  transition.commands.push({ type: 'deadline', key, node, at: addDuration(transition.at, node.timeout) })
}

function startMapIteration(transition: Transition, key: string): void {
  const progress = transition.iterationProgress(key)
  const index = progress.next++
  progress.open++
  const vars = { item: progress.items?.[index] ?? null, index }
  startFrame(transition, transition.openFrame(buildFrameId(key, index), vars, transition.labels(key)))
}

function completeFrame(transition: Transition, frameId: string): void {
  const { key, index } = parseFrameId(frameId)
  const frame = transition.frame(frameId)
  const graph = getGraph(transition.graph, parseGraphPath(frameId))
  const iteration = { frameId, index, output: computeFrameResult(graph, frame), labels: labelFrameResult(graph, frame) }
  if (transition.node(key).node.type === 'map') completeMapIteration(transition, key, iteration)
  else completeLoopIteration(transition, key, iteration)
}

/** A finished frame of a `map` or `loop`. */
interface Iteration {
  frameId: string
  index: number
  output: JsonValue
  labels: Labels
}

function completeMapIteration(transition: Transition, key: string, iteration: Iteration): void {
  const { frameId, index, output, labels } = iteration
  const progress = transition.iterationProgress(key)
  transition.closeFrame(frameId)
  transition.countOutput(splitKey(key).frameId, output)
  progress.outputs = setAt(progress.outputs ?? [], index, output)
  if (labels.length > 0) progress.labels = joinLabels(progress.labels, labels)
  progress.open--
  if (progress.next < (progress.items?.length ?? 0)) return startMapIteration(transition, key)
  if (progress.open === 0) finishIterations(transition, key, progress.outputs.flat(), progress.labels)
}

function completeLoopIteration(
  transition: Transition,
  key: string,
  { frameId, index: iteration, output, labels }: Iteration,
): void {
  const owner = transition.node(key)
  const verdict = evaluateUntil(transition, key, frameId, iteration, output)
  if (verdict instanceof ExpressionError) {
    stopIterations(transition, key)
    return failNode(transition, key, { code: verdict.code, message: verdict.message })
  }
  transition.closeFrame(frameId)
  if (verdict) return finishIterations(transition, key, output, labels)
  const max = owner.node.type === 'loop' ? owner.node.max : 1
  if (iteration < max) {
    return startFrame(
      transition,
      transition.openFrame(buildFrameId(key, iteration + 1), { iteration: iteration + 1, last: output }, labels),
    )
  }
  if (owner.targets.has(EXHAUSTED_PORT)) return finishIterations(transition, key, output, labels, EXHAUSTED_PORT)
  stopIterations(transition, key)
  failNode(transition, key, { code: 'EXHAUSTED', message: `condition not met after ${max} iterations` })
}

function evaluateUntil(
  transition: Transition,
  key: string,
  frameId: string,
  iteration: number,
  last: JsonValue,
): boolean | ExpressionError {
  try {
    return evaluateBinding(transition.state, frameId, transition.node(key), '/until', { iteration, last }) === true
  } catch (error) {
    if (error instanceof ExpressionError) return error
    throw error
  }
}

function finishIterations(
  transition: Transition,
  key: string,
  output: JsonValue,
  labels: Labels = [],
  port?: string,
): void {
  delete transition.state.iterations[key]
  clearDeadline(transition, key)
  finishNode(transition, key, output, { port, labels })
}

function failFrame(transition: Transition, frameId: string, error: NodeError): void {
  const { key } = parseFrameId(frameId)
  stopIterations(transition, key)
  failNode(transition, key, error)
}

export const iterationHandlers: IterationHandlers = { startMap, startLoop, completeFrame, failFrame }
