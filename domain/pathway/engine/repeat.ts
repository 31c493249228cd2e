import { after } from '../../durations.ts'
import { ExpressionError } from '../../expressions/expression.ts'
import type { NodeError } from '../../jobs.ts'
import type { JsonValue } from '../../json.ts'
import { EXHAUSTED_PORT } from '../definition.ts'
import { frameIdOf, graphAt, ownerOf, pathOf, splitKey } from './address.ts'
import type { Draft, Iterations } from './draft.ts'
import { failNode, finishNode } from './flow.ts'
import { frameResult } from './frame-result.ts'
import { pagesOf, withValue } from './pages.ts'
import { readIn } from './scope.ts'
import { startFrame } from './start-frame.ts'
import { dropRepetition, stopDeadline } from './stop.ts'

const DEFAULT_CONCURRENCY = 10

function beginMap(draft: Draft, key: string, items: JsonValue[]): void {
  draft.tell(key, 'running')
  if (items.length === 0) return finishNode(draft, key, [])
  draft.state.repetitions[key] = { items, outputs: pagesOf<JsonValue>(items.length, null), next: 0, open: 0 }
  setDeadline(draft, key)
  const { node } = draft.node(key)
  const concurrency = (node.type === 'map' && node.concurrency) || DEFAULT_CONCURRENCY
  for (let i = 0; i < Math.min(concurrency, items.length); i++) openItem(draft, key)
}

function beginLoop(draft: Draft, key: string): void {
  draft.tell(key, 'running')
  draft.state.repetitions[key] = { next: 1, open: 1 }
  setDeadline(draft, key)
  startFrame(draft, draft.openFrame(frameIdOf(key, 1), { iteration: 1, last: null }))
}

function setDeadline(draft: Draft, key: string): void {
  const { node } = draft.node(key)
  if (!node.timeout) return
  draft.state.active[key] = true
  draft.commands.push({ type: 'deadline', key, node, at: after(draft.at, node.timeout) })
}

function openItem(draft: Draft, key: string): void {
  const repetition = draft.repetition(key)
  const index = repetition.next++
  repetition.open++
  startFrame(draft, draft.openFrame(frameIdOf(key, index), { item: repetition.items?.[index] ?? null, index }))
}

/** One turn is over. The next begins, or the node that repeats is over too. */
function frameDone(draft: Draft, frameId: string): void {
  const { key, index } = ownerOf(frameId)
  const frame = draft.frame(frameId)
  const output = frameResult(graphAt(draft.graph, pathOf(frameId)), frame)
  if (draft.node(key).node.type === 'map') mapTurnDone(draft, key, frameId, index, output)
  else loopTurnDone(draft, key, frameId, index, output)
}

function mapTurnDone(draft: Draft, key: string, frameId: string, index: number, output: JsonValue): void {
  const repetition = draft.repetition(key)
  draft.closeFrame(frameId)
  draft.keep(splitKey(key).frameId, output)
  repetition.outputs = withValue(repetition.outputs ?? [], index, output)
  repetition.open--
  if (repetition.next < (repetition.items?.length ?? 0)) return openItem(draft, key)
  if (repetition.open === 0) close(draft, key, repetition.outputs.flat())
}

function loopTurnDone(draft: Draft, key: string, frameId: string, turn: number, output: JsonValue): void {
  const owner = draft.node(key)
  const done = isOver(draft, key, frameId, turn, output)
  if (done instanceof ExpressionError) {
    dropRepetition(draft, key)
    return failNode(draft, key, { code: done.code, message: done.message })
  }
  draft.closeFrame(frameId)
  if (done) return close(draft, key, output)
  const max = owner.node.type === 'loop' ? owner.node.max : 1
  if (turn < max) {
    return startFrame(draft, draft.openFrame(frameIdOf(key, turn + 1), { iteration: turn + 1, last: output }))
  }
  if (owner.targets.has(EXHAUSTED_PORT)) return close(draft, key, output, EXHAUSTED_PORT)
  dropRepetition(draft, key)
  failNode(draft, key, { code: 'EXHAUSTED', message: `not done after ${max} iterations` })
}

function isOver(
  draft: Draft,
  key: string,
  frameId: string,
  iteration: number,
  last: JsonValue,
): boolean | ExpressionError {
  try {
    return readIn(draft.state, frameId, draft.node(key), '/until', { iteration, last }) === true
  } catch (error) {
    if (error instanceof ExpressionError) return error
    throw error
  }
}

function close(draft: Draft, key: string, output: JsonValue, port?: string): void {
  delete draft.state.repetitions[key]
  stopDeadline(draft, key)
  finishNode(draft, key, output, port)
}

/** A turn failed and nothing in it takes the error: the node that repeats fails with it. */
function frameFailed(draft: Draft, frameId: string, error: NodeError): void {
  const { key } = ownerOf(frameId)
  dropRepetition(draft, key)
  failNode(draft, key, error)
}

/** How frames begin and end, for the engine to hand to what moves nodes on. */
export const iterations: Iterations = { beginMap, beginLoop, frameDone, frameFailed }
