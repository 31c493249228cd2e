import type { NodeError } from '../../jobs.ts'
import type { JsonValue } from '../../json.ts'
import { enclosing, keyOf, splitKey } from './address.ts'
import { type EngineEvent, isEffect } from './commands.ts'
import type { Draft } from './draft.ts'
import { finish } from './finish.ts'
import { frameResult } from './frame-result.ts'
import { registerUndo, undoNext } from './undo.ts'

/** Tells what runs under a key to stop; it stays active until a `settled` event says how that went. */
export function stopKey(draft: Draft, key: string): void {
  if (!draft.state.active[key] || draft.state.stopping[key]) return
  draft.state.stopping[key] = true
  draft.commands.push({ type: 'cancel', key })
}

/** A `map` or `loop` no longer needs its time limit. */
export function stopDeadline(draft: Draft, key: string): void {
  if (!draft.state.active[key]) return
  delete draft.state.active[key]
  draft.commands.push({ type: 'cancel', key })
}

/** Stops all turns of a `map` or `loop`; frames stay readable while something in them has not ended yet. */
export function dropRepetition(draft: Draft, key: string): void {
  const inside = `${key}[`
  delete draft.state.repetitions[key]
  stopDeadline(draft, key)
  for (const other of Object.keys(draft.state.repetitions)) {
    if (other.startsWith(inside)) forgetRepetition(draft, other)
  }
  const kept = draft.ready.filter(waiting => !waiting.startsWith(inside))
  draft.ready.splice(0, draft.ready.length, ...kept)
  const frames = Object.keys(draft.state.frames).filter(id => id.startsWith(inside))
  for (const id of frames) dropFrame(draft, id)
  for (const id of frames) draft.closeFrame(id)
}

function dropFrame(draft: Draft, id: string): void {
  const frame = draft.frame(id)
  for (const [nodeId, node] of Object.entries(frame.nodes)) {
    if (node.status !== 'active') continue
    frame.nodes[nodeId] = { status: 'dropped' }
    stopKey(draft, keyOf(id, nodeId))
  }
}

/** A `map` or `loop` that has lost a race. */
export function cancelRepetition(draft: Draft, key: string): void {
  dropRepetition(draft, key)
  draft.tell(key, 'cancelled')
}

/** It goes down with what is around it, which takes care of its turns. */
function forgetRepetition(draft: Draft, key: string): void {
  delete draft.state.repetitions[key]
  stopDeadline(draft, key)
  draft.tell(key, 'cancelled')
}

/** The run goes down: everything active is stopped, then what was done is undone, last first. */
export function stopRun(draft: Draft, outcome: 'failed' | 'cancelled', error?: NodeError): void {
  if (draft.state.phase !== 'running') return
  Object.assign(draft.state, { phase: 'stopping', outcome, error })
  draft.ready.length = 0
  for (const key of Object.keys(draft.state.repetitions)) forgetRepetition(draft, key)
  for (const key of Object.keys(draft.state.active)) stopKey(draft, key)
  finishWhenQuiet(draft)
}

/** What was told to stop has ended. */
export function settle(draft: Draft, event: Extract<EngineEvent, { type: 'settled' }>): void {
  const { key } = event
  delete draft.state.active[key]
  delete draft.state.stopping[key]
  const { node, kind } = draft.node(key)
  const isUnsure = event.outcome === 'stopped' && isEffect(node) && kind.effect?.mayHaveSideEffects(node) === true
  const outcome = isUnsure ? 'in_doubt' : event.outcome
  if (event.outcome === 'finished_first') {
    draft.setNode(key, { status: 'done', output: event.output ?? null })
    draft.tell(key, 'completed')
    registerUndo(draft, key)
  } else {
    draft.tell(key, 'cancelled')
  }
  draft.account({ node_id: node.id, key, outcome })
  closeFrames(draft, splitKey(key).frameId)
  finishWhenQuiet(draft)
}

/** Forgets the frames around something that has ended, as far as they only waited for it. */
function closeFrames(draft: Draft, frameId: string): void {
  for (const id of enclosing(frameId)) {
    const isGoingOn = draft.isLive(id) && (draft.state.frames[id]?.open ?? 0) > 0
    if (id === '' || isGoingOn) return
    draft.closeFrame(id)
  }
}

/** Goes on once nothing is active any more: to the end, to undoing, or to the next undoing. */
export function finishWhenQuiet(draft: Draft): void {
  const { state } = draft
  if (state.phase === 'running' && (state.frames['']?.open ?? 0) > 0) return
  if (draft.ready.length > 0 || Object.keys(state.active).length > 0) return
  if (state.phase === 'running') return finish(draft, 'completed', rootResult(draft))
  if (state.phase === 'stopping') {
    state.phase = 'undoing'
    undoNext(draft)
  }
}

function rootResult(draft: Draft): JsonValue {
  const root = draft.state.frames['']
  return root ? frameResult(draft.graph, root) : null
}
