import type { NodeMilestone } from '../../jobs.ts'
import type { Graph } from '../graph.ts'
import type { Command, EngineEvent } from './commands.ts'
import { Draft } from './draft.ts'
import { begin, failNode, finishNode } from './flow.ts'
import { iterations } from './repeat.ts'
import { startFrame } from './start-frame.ts'
import { dropRepetition, settle, stopRun } from './stop.ts'
import { undone } from './undo.ts'
import type { EngineState } from './state.ts'

export interface Step {
  state: EngineState
  commands: Command[]
  /** News of nodes, in the order they happened. */
  milestones: NodeMilestone[]
}

/** Nodes begun, and work units, in one call before the engine asks for a breath: no workflow task runs long. */
const VISITS_PER_CALL = 500
const WORK_PER_CALL = 1_000_000
/** What an event costs beside expressions, in work units; measured, with the node that it ends. */
const EVENT_UNITS = 400
/** Nodes begun in one run. */
export const MAX_VISITS = 100_000

/** The engine's answer to one event. */
export const next = (graph: Graph, state: EngineState, event: EngineEvent): Step => advance(graph, state, [event])

/**
 * The engine: what has happened, what to do next. Pure: the same definition, state and events give the same answer, and
 * the state that came in is not changed. Takes events in their order until its work is used up; when it leaves some, or
 * nodes that are ready, it asks for a breath. Events together cost one copy of the state.
 */
export function advance(graph: Graph, state: EngineState, events: EngineEvent[]): Step & { taken: number } {
  const draft = new Draft(graph, state, iterations)
  const limit = graph.meter.spent + WORK_PER_CALL
  draft.state.ready = []
  let taken = 0
  while (taken < events.length && (taken === 0 || graph.meter.spent <= limit) && draft.begun < VISITS_PER_CALL) {
    const event = events[taken++] as EngineEvent
    draft.at = event.at
    graph.meter.note(EVENT_UNITS)
    apply(draft, event)
    work(draft, limit)
  }
  draft.state.ready = [...draft.ready]
  const isLeft = taken < events.length || draft.ready.length > 0
  if (isLeft && draft.state.phase !== 'over') draft.commands.push({ type: 'yield' })
  return { state: draft.state, commands: draft.commands, milestones: draft.milestones, taken }
}

function apply(draft: Draft, event: EngineEvent): void {
  switch (event.type) {
    case 'start':
      if (draft.state.frames[''] || draft.state.phase !== 'running') return
      return startFrame(draft, draft.openFrame('', {}))
    case 'continue':
      return
    case 'cancel':
      return stopRun(draft, 'cancelled')
    case 'settled':
      return settled(draft, event)
    case 'undone':
      return undone(draft, event)
    case 'completed':
    case 'failed':
      return answered(draft, event)
  }
}

type Of<T extends EngineEvent['type']> = Extract<EngineEvent, { type: T }>

/** Something was stopped: because it was told to, or by others, such as a child run that someone cancelled. */
function settled(draft: Draft, event: Of<'settled'>): void {
  const { key, at, outcome, output = null } = event
  if (draft.state.stopping[key]) return settle(draft, event)
  if (outcome === 'finished_first') return answered(draft, { type: 'completed', key, at, output })
  answered(draft, { type: 'failed', key, at, error: { code: 'CANCELLED', message: 'was cancelled' } })
}

function answered(draft: Draft, event: Of<'completed' | 'failed'>): void {
  const { key, at } = event
  if (!draft.state.active[key]) return
  if (draft.state.stopping[key]) {
    const settled = { type: 'settled', key, at } as const
    return settle(
      draft,
      event.type === 'completed'
        ? { ...settled, outcome: 'finished_first', output: event.output }
        : { ...settled, outcome: 'stopped' },
    )
  }
  if (event.type === 'completed') return finishNode(draft, key, event.output, event.port)
  delete draft.state.active[key]
  if (draft.state.repetitions[key]) dropRepetition(draft, key)
  failNode(draft, key, event.error, event.timeout)
}

/** Begins nodes that are ready, at least one, as long as there is work left to do in this call. */
function work(draft: Draft, limit: number): void {
  while (draft.ready.length > 0) {
    if (draft.state.visits >= MAX_VISITS) {
      return stopRun(draft, 'failed', {
        code: 'TOO_MANY_STEPS',
        message: `a run must visit at most ${MAX_VISITS} nodes`,
      })
    }
    if (draft.begun === VISITS_PER_CALL || (draft.begun > 0 && draft.graph.meter.spent > limit)) return
    draft.begun++
    draft.state.visits++
    begin(draft, draft.ready.shift() as string)
  }
}

/** How far a run has come: nodes of the outermost graph that are over, of all its ways can lead to. */
export function progressOf(graph: Graph, state: EngineState): { done: number; total: number } {
  const nodes = Object.values(state.frames['']?.nodes ?? {})
  const reached = [...graph.nodes.values()].filter(({ incoming }) => incoming > 0)
  return {
    done: nodes.filter(node => node.status !== 'active').length,
    total: graph.starts.length + reached.length,
  }
}
