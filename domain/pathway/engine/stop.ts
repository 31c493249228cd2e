import { ExpressionError } from '../../expressions/expression.ts'
import type { NodeError, ReceiptLine } from '../../jobs.ts'
import type { JsonValue } from '../../json.ts'
import { graphAt, keyOf, pathOf, splitKey } from './address.ts'
import type { EffectNode, EngineEvent } from './commands.ts'
import type { Draft } from './draft.ts'
import { beginningOf } from './flow.ts'
import { frameResult } from './repeat.ts'

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

/** Stops all turns of a `map` or `loop`; their frames stay readable for what is still to be undone. */
export function dropRepetition(draft: Draft, key: string): void {
  delete draft.state.repetitions[key]
  stopDeadline(draft, key)
  const inside = `${key}[`
  for (const other of Object.keys(draft.state.repetitions)) {
    if (other.startsWith(inside)) delete draft.state.repetitions[other]
  }
  for (const id of Object.keys(draft.state.frames)) {
    if (!id.startsWith(inside)) continue
    const frame = draft.frame(id)
    for (const [nodeId, node] of Object.entries(frame.nodes)) {
      if (node.status !== 'active') continue
      frame.nodes[nodeId] = { status: 'dropped' }
      stopKey(draft, keyOf(id, nodeId))
    }
  }
  const kept = draft.ready.filter(waiting => !waiting.startsWith(inside))
  draft.ready.splice(0, draft.ready.length, ...kept)
}

/** The run goes down: everything active is stopped, then what was done is undone, last first. */
export function stopRun(draft: Draft, outcome: 'failed' | 'cancelled', error?: NodeError): void {
  if (draft.state.phase !== 'running') return
  Object.assign(draft.state, { phase: 'stopping', outcome, error })
  draft.ready.length = 0
  for (const key of Object.keys(draft.state.active)) stopKey(draft, key)
  finishWhenQuiet(draft)
}

/** What was told to stop has ended. */
export function settle(draft: Draft, event: Extract<EngineEvent, { type: 'settled' }>): void {
  const { key } = event
  if (!draft.state.active[key]) return
  delete draft.state.active[key]
  delete draft.state.stopping[key]
  const { node } = draft.node(key)
  const outcome = event.outcome === 'stopped' && mayHaveHappened(node) ? 'in_doubt' : event.outcome
  if (event.outcome === 'finished_first') {
    draft.setNode(key, { status: 'done', output: event.output ?? null })
    draft.tell(key, 'completed')
    registerUndo(draft, key)
  } else {
    draft.tell(key, 'cancelled')
  }
  if (draft.state.phase === 'stopping') draft.state.receipt.push({ node_id: node.id, key, outcome })
  finishWhenQuiet(draft)
}

/** A call that changes things and was cut off may have arrived. */
function mayHaveHappened(node: { type: string; with?: unknown }): boolean {
  if (node.type !== 'http') return false
  const method = (node.with as { method?: string } | undefined)?.method ?? 'GET'
  return method !== 'GET' && method !== 'HEAD'
}

/** Remembers how to undo a node, with the handler's values as they are now. */
export function registerUndo(draft: Draft, key: string): void {
  const { node } = draft.node(key)
  if (!node.compensate) return
  const { frameId } = splitKey(key)
  const entry = { key, node_id: node.id, handler: node.compensate, path: pathOf(frameId) }
  try {
    const begin = beginningOf(draft, keyOf(frameId, node.compensate))
    if (begin.type === 'run') draft.state.undo.push({ ...entry, with: begin.with })
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    draft.state.undo.push({ ...entry, error: { code: error.code, message: error.message } })
  }
}

/** Goes on once nothing is active any more: to the end, to undoing, or to the next undoing. */
export function finishWhenQuiet(draft: Draft): void {
  const { state } = draft
  if (Object.keys(state.active).length > 0 || draft.ready.length > 0) return
  if (state.phase === 'running') {
    if ((state.frames['']?.open ?? 0) > 0) return
    return finish(draft, 'completed', rootResult(draft))
  }
  if (state.phase === 'stopping') {
    state.phase = 'undoing'
    undoNext(draft)
  }
}

function rootResult(draft: Draft): JsonValue {
  const root = draft.state.frames['']
  return root ? frameResult(draft.graph, root) : null
}

function undoNext(draft: Draft): void {
  const last = draft.state.undo.at(-1)
  if (!last) return finish(draft, draft.state.outcome ?? 'failed')
  if (!last.with) {
    note(draft, { node_id: last.node_id, key: last.key, outcome: 'compensation_failed', message: last.error?.message })
    return undoNext(draft)
  }
  const handler = graphAt(draft.graph, last.path).nodes.get(last.handler)
  const key = keyOf(splitKey(last.key).frameId, last.handler)
  draft.commands.push({ type: 'undo', key, node: handler?.node as EffectNode, with: last.with })
}

/** An undoing has ended, well or not; the next one follows. */
export function undone(draft: Draft, error?: NodeError): void {
  const last = draft.state.undo.at(-1)
  if (!last || draft.state.phase !== 'undoing') return
  const outcome = error ? 'compensation_failed' : 'compensated'
  if (!error) draft.tell(last.key, 'compensated')
  note(draft, { node_id: last.node_id, key: last.key, outcome, message: error?.message })
  undoNext(draft)
}

function note(draft: Draft, line: ReceiptLine): void {
  draft.state.undo.pop()
  draft.state.receipt.push(line)
}

function finish(draft: Draft, outcome: 'completed' | 'failed' | 'cancelled', result?: JsonValue): void {
  draft.state.phase = 'over'
  draft.state.outcome = outcome
  draft.commands.push({ type: 'finish', outcome, result, error: draft.state.error, receipt: draft.state.receipt })
}
