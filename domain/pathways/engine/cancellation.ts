import type { Labels } from '../labels/labels.ts'
import type { NodeError } from '../../runs/nodes.ts'
import type { JsonValue } from '../../shared/json/json.ts'
import { exceedsJsonSize } from '../../shared/json/json-size.ts'
import { listEnclosingFrames, buildNodeKey, splitKey } from './node-keys.ts'
import type { EngineEvent } from './commands.ts'
import type { Transition } from './transition.ts'
import { finish } from './finish.ts'
import { computeFrameResult, labelFrameResult } from './frame-result.ts'
import { registerCompensation, compensateNext, mayHaveSideEffects } from './compensation.ts'

/** Cancels an activation. It stays active until its `settled` event arrives. */
export function cancelActivation(transition: Transition, key: string): void {
  if (!transition.state.active[key] || transition.state.stopping[key]) return
  transition.state.stopping[key] = true
  transition.commands.push({ type: 'cancel', key })
}

export function clearDeadline(transition: Transition, key: string): void {
  if (!transition.state.active[key]) return
  delete transition.state.active[key]
  transition.commands.push({ type: 'cancel', key })
}

/** Cancels all iterations of a `map` or `loop`. Frames are kept until all their nodes have ended. */
export function stopIterations(transition: Transition, key: string): void {
  const inside = `${key}[`
  delete transition.state.iterations[key]
  clearDeadline(transition, key)
  for (const other of Object.keys(transition.state.iterations)) {
    if (other.startsWith(inside)) discardIterations(transition, other)
  }
  const remaining = transition.ready.filter(waiting => !waiting.startsWith(inside))
  transition.ready.splice(0, transition.ready.length, ...remaining)
  const frames = Object.keys(transition.state.frames).filter(id => id.startsWith(inside))
  for (const id of frames) cancelFrame(transition, id)
  for (const id of frames) transition.closeFrame(id)
}

function cancelFrame(transition: Transition, id: string): void {
  const frame = transition.frame(id)
  for (const [nodeId, node] of Object.entries(frame.nodes)) {
    if (node.status !== 'active') continue
    frame.nodes[nodeId] = { status: 'dropped' }
    cancelActivation(transition, buildNodeKey(id, nodeId))
  }
}

export function cancelIterations(transition: Transition, key: string): void {
  stopIterations(transition, key)
  transition.emitMilestone(key, 'cancelled')
}

/** Removes a nested `map` or `loop`. The caller must cancel its frames. */
function discardIterations(transition: Transition, key: string): void {
  delete transition.state.iterations[key]
  clearDeadline(transition, key)
  transition.emitMilestone(key, 'cancelled')
}

/** Cancels all active nodes. Once they have ended, compensation starts with the last completed node. */
export function stopRun(transition: Transition, outcome: 'failed' | 'cancelled', error?: NodeError): void {
  if (transition.state.phase !== 'running') return
  Object.assign(transition.state, { phase: 'stopping', outcome, error })
  transition.ready.length = 0
  for (const key of Object.keys(transition.state.iterations)) discardIterations(transition, key)
  for (const key of Object.keys(transition.state.active)) cancelActivation(transition, key)
  finishWhenIdle(transition)
}

/** Applies the end of a cancelled activation. */
export function settleCancelled(transition: Transition, event: Extract<EngineEvent, { type: 'settled' }>): void {
  const { key } = event
  delete transition.state.active[key]
  delete transition.state.stopping[key]
  const { node } = transition.node(key)
  const outcome = event.outcome === 'stopped' && mayHaveSideEffects(node) ? 'in_doubt' : event.outcome
  if (event.outcome === 'finished_first') {
    transition.setNode(key, { status: 'done', output: event.output ?? null })
    transition.emitMilestone(key, 'completed')
    registerCompensation(transition, key)
  } else {
    transition.emitMilestone(key, 'cancelled')
  }
  transition.addReceiptLine({ node_id: node.id, key, outcome })
  closeIdleFrames(transition, splitKey(key).frameId)
  finishWhenIdle(transition)
}

/** Deletes enclosing frames without active nodes. */
function closeIdleFrames(transition: Transition, frameId: string): void {
  for (const id of listEnclosingFrames(frameId)) {
    const isOpen = transition.isLive(id) && (transition.state.frames[id]?.open ?? 0) > 0
    if (id === '' || isOpen) return
    transition.closeFrame(id)
  }
}

/** Finishes the run, or starts compensation, once nothing is active. */
export function finishWhenIdle(transition: Transition): void {
  const { state } = transition
  if (state.phase === 'running' && (state.frames['']?.open ?? 0) > 0) return
  if (transition.ready.length > 0 || Object.keys(state.active).length > 0) return
  if (state.phase === 'running') {
    const result = computeRootResult(transition)
    if (exceedsJsonSize(result, MAX_RESULT_CHARS)) return stopRun(transition, 'failed', RESULT_TOO_LARGE)
    return finish(transition, 'completed', result, labelRootResult(transition))
  }
  if (state.phase === 'stopping') {
    state.phase = 'compensating'
    compensateNext(transition)
  }
}

/** Length as JSON. The result is stored with the job and sent to clients that read the job. */
const MAX_RESULT_CHARS = 2_000_000

const RESULT_TOO_LARGE: NodeError = {
  code: 'RESULT_TOO_LARGE',
  message: `the result of a run must have at most ${MAX_RESULT_CHARS / 1e6} million characters: select a part of it in an end node`,
}

function computeRootResult(transition: Transition): JsonValue {
  const root = transition.state.frames['']
  return root ? computeFrameResult(transition.graph, root) : null
}

function labelRootResult(transition: Transition): Labels {
  const root = transition.state.frames['']
  return root ? labelFrameResult(transition.graph, root) : []
}
