import { addDuration } from '../../shared/durations.ts'
import { ExpressionError } from '../expressions/expression-error.ts'
import { type Labels, buildLabelField } from '../labels/labels.ts'
import type { DecisionCovers, NodeError } from '../../runs/nodes.ts'
import type { JsonValue } from '../../shared/json/json.ts'
import { computeCovers } from '../decisions/covers.ts'
import { DEFAULT_PORT, type EffectNode, ERROR_PORT, type PathwayNode, TIMEOUT_PORT } from '../definition.ts'
import type { GraphNode } from '../graph.ts'
import type { NodeStart } from '../kinds/kind.ts'
import { buildNodeKey, splitKey } from './node-keys.ts'
import { isEffect } from './commands.ts'
import { type Transition, MAX_STORED_CHARS } from './transition.ts'
import { resolveStart } from './node-start.ts'
import type { Arrivals } from './state.ts'
import { cancelIterations, finishWhenIdle, cancelActivation, stopRun } from './cancellation.ts'
import { registerCompensation } from './compensation.ts'
import { labelInput } from './labelling.ts'

export function startNode(transition: Transition, key: string): void {
  const node = transition.node(key)
  const start = catchExpressionError(() => resolveStart(transition, key))
  if (start instanceof ExpressionError) return failNode(transition, key, { code: start.code, message: start.message })
  applyStart(transition, key, node, start)
}

function catchExpressionError<T>(work: () => T): T | ExpressionError {
  try {
    return work()
  } catch (error) {
    if (error instanceof ExpressionError) return error
    throw error
  }
}

function applyStart(transition: Transition, key: string, { node }: GraphNode, start: NodeStart): void {
  switch (start.type) {
    case 'done':
      return finishNode(transition, key, start.output, { port: start.port })
    case 'failed':
      return failNode(transition, key, { code: start.code, message: start.message })
    case 'map':
      return transition.iterationHandlers.startMap(transition, key, start.items)
    case 'loop':
      return transition.iterationHandlers.startLoop(transition, key)
    case 'run':
      transition.commands.push({
        type: 'run',
        key,
        node: node as EffectNode,
        with: start.with,
        ...buildLabelField(transition.labels(key)),
      })
      break
    case 'child':
      if (node.type === 'pathway' || node.type === 'neuron')
        transition.commands.push({
          type: 'child',
          key,
          node,
          input: start.input,
          ...buildLabelField(labelInput(transition, key)),
        })
      break
    case 'ask':
      if (node.type === 'human') transition.commands.push({ type: 'ask', key, node, request: start.request })
      break
    case 'wait':
      return startWait(transition, key, node, start)
  }
  transition.state.active[key] = true
  transition.emitMilestone(key, start.type === 'ask' ? 'waiting' : 'running')
}

function startWait(
  transition: Transition,
  key: string,
  node: PathwayNode,
  { until, event }: Extract<NodeStart, { type: 'wait' }>,
): void {
  const deadline = node.timeout && addDuration(transition.at, node.timeout)
  transition.commands.push({ type: 'wait', key, node, until, event, deadline })
  transition.state.active[key] = true
  const input = {
    ...(until !== undefined && { until }),
    ...(event !== undefined && { event }),
    ...(deadline !== undefined && { deadline }),
  }
  transition.emitMilestone(key, 'waiting', { input })
}

interface FinishOptions {
  port?: string
  /** Default: the labels of the node's inputs. */
  labels?: Labels
  /** Scope of the node's decision. Default: its current scope. */
  covers?: DecisionCovers
  is_given?: true
}

/** Completes a node and enqueues its successors. */
export function finishNode(
  transition: Transition,
  key: string,
  output: JsonValue,
  { port = DEFAULT_PORT, labels = transition.labels(key), covers, is_given }: FinishOptions = {},
): void {
  const { node, decides } = transition.node(key)
  const about = decides ? (covers ?? computeCovers(transition.graph, transition.state, key)) : undefined
  transition.setNode(key, { status: 'done', output, ...buildLabelField(labels), port })
  const hasRoom = transition.countOutput(splitKey(key).frameId, output)
  const exitPort = node.type === 'end' ? undefined : port
  const visibleOutput = isEffect(node) && !is_given ? undefined : output
  transition.emitMilestone(key, 'completed', { port: exitPort, output: visibleOutput, covers: about, is_given })
  if (!is_given) registerCompensation(transition, key)
  if (hasRoom) return exitNode(transition, key, port)
  delete transition.state.active[key]
  stopRun(transition, 'failed', STATE_TOO_LARGE)
}

const STATE_TOO_LARGE: NodeError = {
  code: 'STATE_TOO_LARGE',
  message: `the stored outputs of the run must have at most ${MAX_STORED_CHARS / 1e6} million characters`,
}

/**
 * Fails a node. The run continues from the node's `timeout` or `error` port. Without an edge from that port, the
 * frame fails.
 */
export function failNode(transition: Transition, key: string, error: NodeError, timeout = false): void {
  const { targets } = transition.node(key)
  const ports = timeout ? [TIMEOUT_PORT, ERROR_PORT] : [ERROR_PORT]
  const port = ports.find(name => targets.has(name))
  transition.setNode(key, { status: 'failed', error, ...buildLabelField(transition.labels(key)), port })
  transition.emitMilestone(key, 'failed', { port, error })
  if (port !== undefined) return exitNode(transition, key, port)
  const { frameId } = splitKey(key)
  transition.frame(frameId).open--
  const located = error.node_key ? error : { ...error, message: `${key}: ${error.message}`, node_key: key }
  if (frameId === '') stopRun(transition, 'failed', located)
  else transition.iterationHandlers.failFrame(transition, frameId, located)
}

function exitNode(transition: Transition, key: string, port: string): void {
  const { frameId, nodeId } = splitKey(key)
  delete transition.state.active[key]
  decideEdges(transition, frameId, transition.node(key), edge => edge === port, nodeId)
  if (!transition.isLive(frameId)) return
  const frame = transition.frame(frameId)
  frame.open--
  if (frame.open > 0) return
  if (frameId === '') finishWhenIdle(transition)
  else transition.iterationHandlers.completeFrame(transition, frameId)
}

function decideEdges(
  transition: Transition,
  frameId: string,
  from: GraphNode,
  isTaken: (port: string) => boolean,
  sourceId: string,
): void {
  for (const { port, to } of from.outgoing) {
    // A join that lacked branches may already have failed this frame.
    if (!transition.isLive(frameId)) return
    const frame = transition.frame(frameId)
    const before: Arrivals = frame.arrivals[to.node.id] ?? { from: [], dead: 0 }
    frame.arrivals[to.node.id] = isTaken(port)
      ? { ...before, from: [...before.from, sourceId] }
      : { ...before, dead: before.dead + 1 }
    evaluateTarget(transition, frameId, to)
  }
}

/** Enqueues, skips or fails a node once enough of its incoming edges are decided. */
function evaluateTarget(transition: Transition, frameId: string, target: GraphNode): void {
  const frame = transition.frame(frameId)
  const { node, incoming } = target
  const arrivals = frame.arrivals[node.id]
  if (!arrivals || frame.nodes[node.id]) return
  const all = arrivals.from.length + arrivals.dead === incoming
  const needed = node.type === 'join' && node.mode !== 'all' ? (node.mode === 'n' ? (node.n ?? 1) : 1) : undefined
  if (needed !== undefined && arrivals.from.length >= needed) {
    transition.enqueue(frameId, node.id)
    return cancelLosers(transition, frameId, target)
  }
  if (!all) return
  if (arrivals.from.length === 0) return skipNode(transition, frameId, target)
  transition.enqueue(frameId, node.id)
  if (needed === undefined) return
  transition.ready.pop()
  const message = `only ${arrivals.from.length} of the ${needed} required branches arrived`
  failNode(transition, buildNodeKey(frameId, node.id), { code: 'JOIN_UNREACHABLE', message })
}

/** Skips a node whose incoming edges are all dead, and decides its outgoing edges. */
function skipNode(transition: Transition, frameId: string, target: GraphNode): void {
  const key = buildNodeKey(frameId, target.node.id)
  transition.setNode(key, { status: 'skipped' })
  transition.emitMilestone(key, 'skipped')
  decideEdges(transition, frameId, target, () => false, target.node.id)
}

/** Cancels or skips nodes that lead only to a join that has already started. */
function cancelLosers(transition: Transition, frameId: string, joined: GraphNode): void {
  const frame = transition.frame(frameId)
  for (const { node } of joined.losers) {
    const state = frame.nodes[node.id]
    if (state && state.status !== 'active') continue
    const key = buildNodeKey(frameId, node.id)
    frame.nodes[node.id] = { status: 'dropped' }
    const queued = transition.ready.indexOf(key)
    if (state) frame.open--
    if (queued >= 0) transition.ready.splice(queued, 1)
    if (!state || queued >= 0) transition.emitMilestone(key, 'skipped')
    else if (transition.state.iterations[key]) cancelIterations(transition, key)
    else cancelActivation(transition, key)
  }
}
