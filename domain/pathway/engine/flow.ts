import { after } from '../../durations.ts'
import { ExpressionError } from '../../expressions/expression.ts'
import type { NodeError } from '../../jobs.ts'
import type { JsonValue } from '../../json.ts'
import { DEFAULT_PORT, ERROR_PORT, TIMEOUT_PORT } from '../definition.ts'
import type { GraphNode } from '../graph.ts'
import type { Begin } from '../kinds/kind.ts'
import { keyOf, splitKey } from './address.ts'
import { isEffect, type EffectNode } from './commands.ts'
import { type Draft, MAX_KEPT_CHARACTERS } from './draft.ts'
import { beginningOf } from './node-start.ts'
import type { Arrivals } from './state.ts'
import { cancelRepetition, finishWhenQuiet, stopKey, stopRun } from './stop.ts'
import { registerUndo } from './undo.ts'

/** Begins one node whose turn has come. */
export function begin(draft: Draft, key: string): void {
  const node = draft.node(key)
  const started = attempt(() => beginningOf(draft, key))
  if (started instanceof ExpressionError) return failNode(draft, key, { code: started.code, message: started.message })
  carryOut(draft, key, node, started)
}

function attempt<T>(work: () => T): T | ExpressionError {
  try {
    return work()
  } catch (error) {
    if (error instanceof ExpressionError) return error
    throw error
  }
}

function carryOut(draft: Draft, key: string, { node }: GraphNode, started: Begin): void {
  switch (started.type) {
    case 'done':
      return finishNode(draft, key, started.output, started.port)
    case 'failed':
      return failNode(draft, key, { code: started.code, message: started.message })
    case 'map':
      return draft.iterations.beginMap(draft, key, started.items)
    case 'loop':
      return draft.iterations.beginLoop(draft, key)
    case 'run':
      draft.commands.push({ type: 'run', key, node: node as EffectNode, with: started.with })
      break
    case 'child':
      if (node.type === 'pathway' || node.type === 'neuron')
        draft.commands.push({ type: 'child', key, node, input: started.input })
      break
    case 'ask':
      if (node.type === 'human') draft.commands.push({ type: 'ask', key, node, request: started.request })
      break
    case 'wait':
      draft.commands.push({
        type: 'wait',
        key,
        node,
        until: started.until,
        event: started.event,
        deadline: node.timeout && after(draft.at, node.timeout),
      })
  }
  draft.state.active[key] = true
  draft.tell(key, started.type === 'ask' || started.type === 'wait' ? 'waiting' : 'running')
}

/** A node is over and leaves by a port; what follows is put in line. */
export function finishNode(draft: Draft, key: string, output: JsonValue, port = DEFAULT_PORT): void {
  const { node } = draft.node(key)
  draft.setNode(key, { status: 'done', output, port })
  const isKept = draft.keep(splitKey(key).frameId, output)
  const left = node.type === 'end' ? undefined : port
  draft.tell(key, 'completed', { port: left, output: isEffect(node) ? undefined : output })
  registerUndo(draft, key)
  if (isKept) return leave(draft, key, port)
  delete draft.state.active[key]
  stopRun(draft, 'failed', TOO_LARGE)
}

const TOO_LARGE: NodeError = {
  code: 'STATE_TOO_LARGE',
  message: `the stored outputs of the run must have at most ${MAX_KEPT_CHARACTERS / 1e6} million characters`,
}

/** A node has failed. Its `timeout` or `error` edge takes it on; without one its graph fails as a whole. */
export function failNode(draft: Draft, key: string, error: NodeError, timeout = false): void {
  const { targets } = draft.node(key)
  const ports = timeout ? [TIMEOUT_PORT, ERROR_PORT] : [ERROR_PORT]
  const port = ports.find(name => targets.has(name))
  draft.setNode(key, { status: 'failed', error, port })
  draft.tell(key, 'failed', { port, error })
  if (port !== undefined) return leave(draft, key, port)
  const { frameId } = splitKey(key)
  draft.frame(frameId).open--
  const named = error.node_key ? error : { ...error, message: `${key}: ${error.message}`, node_key: key }
  if (frameId === '') stopRun(draft, 'failed', named)
  else draft.iterations.frameFailed(draft, frameId, named)
}

function leave(draft: Draft, key: string, port: string): void {
  const { frameId, nodeId } = splitKey(key)
  delete draft.state.active[key]
  follow(draft, frameId, draft.node(key), edge => edge === port, nodeId)
  if (!draft.isLive(frameId)) return
  const frame = draft.frame(frameId)
  frame.open--
  if (frame.open > 0) return
  if (frameId === '') finishWhenQuiet(draft)
  else draft.iterations.frameDone(draft, frameId)
}

function follow(draft: Draft, frameId: string, from: GraphNode, taken: (port: string) => boolean, by: string): void {
  for (const { port, to } of from.outgoing) {
    // A join that can't be reached any more may just have brought this frame down.
    if (!draft.isLive(frameId)) return
    const frame = draft.frame(frameId)
    const before: Arrivals = frame.arrivals[to.node.id] ?? { from: [], dead: 0 }
    frame.arrivals[to.node.id] = taken(port)
      ? { ...before, from: [...before.from, by] }
      : { ...before, dead: before.dead + 1 }
    consider(draft, frameId, to)
  }
}

/** Decides whether a node's turn has come, will never come, or is still open. */
function consider(draft: Draft, frameId: string, target: GraphNode): void {
  const frame = draft.frame(frameId)
  const { node, incoming } = target
  const arrivals = frame.arrivals[node.id]
  if (!arrivals || frame.nodes[node.id]) return
  const all = arrivals.from.length + arrivals.dead === incoming
  const needed = node.type === 'join' && node.mode !== 'all' ? (node.mode === 'n' ? (node.n ?? 1) : 1) : undefined
  if (needed !== undefined && arrivals.from.length >= needed) {
    draft.enqueue(frameId, node.id)
    return dropLosers(draft, frameId, target)
  }
  if (!all) return
  if (arrivals.from.length === 0) return skip(draft, frameId, target)
  draft.enqueue(frameId, node.id)
  if (needed === undefined) return
  draft.ready.pop()
  const message = `${arrivals.from.length} of the ${needed} branches it needs arrived`
  failNode(draft, keyOf(frameId, node.id), { code: 'JOIN_UNREACHABLE', message })
}

/** Nothing leads here any more; neither will anything from here. */
function skip(draft: Draft, frameId: string, target: GraphNode): void {
  const key = keyOf(frameId, target.node.id)
  draft.setNode(key, { status: 'skipped' })
  draft.tell(key, 'skipped')
  follow(draft, frameId, target, () => false, target.node.id)
}

/** The join has gone on: what can only lead to it is stopped, or never begins. */
function dropLosers(draft: Draft, frameId: string, joined: GraphNode): void {
  const frame = draft.frame(frameId)
  for (const { node } of joined.losers) {
    const state = frame.nodes[node.id]
    if (state && state.status !== 'active') continue
    const key = keyOf(frameId, node.id)
    frame.nodes[node.id] = { status: 'dropped' }
    const queued = draft.ready.indexOf(key)
    if (state) frame.open--
    if (queued >= 0) draft.ready.splice(queued, 1)
    if (!state || queued >= 0) draft.tell(key, 'skipped')
    else if (draft.state.repetitions[key]) cancelRepetition(draft, key)
    else stopKey(draft, key)
  }
}
