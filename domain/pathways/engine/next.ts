import { joinLabels, type Label } from '../labels/labels.ts'
import type { DecisionCovers, NodeError, NodeMilestone } from '../../runs/nodes.ts'
import type { JsonValue } from '../../shared/json/json.ts'
import type { Graph } from '../graph.ts'
import type { Command, EngineEvent } from './commands.ts'
import { Transition } from './transition.ts'
import { startNode, failNode, finishNode } from './scheduling.ts'
import { labelNode } from './labelling.ts'
import { iterationHandlers } from './iteration.ts'
import { startFrame } from './start-frame.ts'
import { stopIterations, settleCancelled, stopRun } from './cancellation.ts'
import { completeCompensation, registerDoubt } from './compensation.ts'
import { type EngineState, isGiven } from './state.ts'

export interface EngineResult {
  state: EngineState
  commands: Command[]
  /** In order of occurrence. */
  milestones: NodeMilestone[]
}

/** Limits of one call, after which the engine yields. They bound the duration of a workflow task. */
const MAX_ACTIVATIONS_PER_CALL = 500
const MAX_WORK_PER_CALL = 1_000_000
/** Measured cost of an event in work units, excluding its expressions. */
const EVENT_UNITS = 400
/** Maximum number of node activations in one run. */
export const MAX_ACTIVATIONS = 100_000

/** How a fork handles a ready node instead of starting it. */
export interface TakeOver {
  /** Returns whether a node stays in `ready`, so that the fork starts it later. */
  holds(key: string): boolean
  /**
   * Returns the node's recorded outcome, or undefined if it must be computed again. Returns `held` if the outcome is
   * not valid for the state; from then on, `holds` is true for the node.
   */
  findOutcome(key: string, state: EngineState): TakenOutcome | 'held' | undefined
  /**
   * Returns the position of the node's outcome among all recorded outcomes. The ready node with the lowest position
   * is next.
   */
  rank(key: string): number
}

export type TakenOutcome =
  | { type: 'completed'; output: JsonValue; port?: string; labels?: Label[]; covers?: DecisionCovers }
  | { type: 'failed'; error: NodeError; timeout: boolean }

export const next = (graph: Graph, state: EngineState, event: EngineEvent): EngineResult =>
  advance(graph, state, [event])

/**
 * Applies events in order without modifying the given state. Stops at the work limit of one call and adds a `yield`
 * command if events or ready nodes are left. With `takeOver`, ready nodes are held or get the outcome that they had
 * in another run.
 */
export function advance(
  graph: Graph,
  state: EngineState,
  events: EngineEvent[],
  takeOver?: TakeOver,
): EngineResult & { eventCount: number } {
  const transition = new Transition(graph, state, iterationHandlers)
  const limit = graph.meter.spent + MAX_WORK_PER_CALL
  transition.state.ready = []
  let eventCount = 0
  while (
    eventCount < events.length &&
    (eventCount === 0 || graph.meter.spent <= limit) &&
    transition.started < MAX_ACTIVATIONS_PER_CALL
  ) {
    const event = events[eventCount++] as EngineEvent
    transition.at = event.at
    graph.meter.note(EVENT_UNITS)
    apply(transition, event)
    startReadyNodes(transition, limit, takeOver)
  }
  transition.state.ready = [...transition.ready]
  const isLeft = eventCount < events.length || transition.ready.length > 0
  if (isLeft && transition.state.phase !== 'over') transition.commands.push({ type: 'yield' })
  return {
    state: transition.state,
    commands: transition.commands,
    milestones: transition.milestones,
    eventCount,
  }
}

function apply(transition: Transition, event: EngineEvent): void {
  switch (event.type) {
    case 'start':
      if (transition.state.frames[''] || transition.state.phase !== 'running') return
      return startFrame(transition, transition.openFrame('', {}))
    case 'continue':
      return
    case 'cancel':
      return stopRun(transition, 'cancelled')
    case 'settled':
      return applySettled(transition, event)
    case 'compensated':
      return completeCompensation(transition, event)
    case 'completed':
    case 'failed':
      return applyOutcome(transition, event)
  }
}

type Of<T extends EngineEvent['type']> = Extract<EngineEvent, { type: T }>

/** Applies the end of an activation that was cancelled by the engine or externally. */
function applySettled(transition: Transition, event: Of<'settled'>): void {
  const { key, at, outcome, output = null } = event
  if (transition.state.stopping[key]) return settleCancelled(transition, event)
  if (outcome === 'finished_first') return applyOutcome(transition, { type: 'completed', key, at, output })
  const error = { code: 'CANCELLED', message: 'was cancelled' }
  applyOutcome(transition, { type: 'failed', key, at, error, may_have_arrived: true })
}

function applyOutcome(transition: Transition, event: Of<'completed' | 'failed'>): void {
  const { key, at } = event
  if (!transition.state.active[key]) return
  if (transition.state.stopping[key]) {
    const settled = { type: 'settled', key, at } as const
    return settleCancelled(
      transition,
      event.type === 'completed'
        ? { ...settled, outcome: 'finished_first', output: event.output }
        : { ...settled, outcome: 'stopped' },
    )
  }
  if (event.type === 'completed') {
    const labels = joinLabels(transition.labels(key), event.labels)
    return finishNode(transition, key, event.output, { ...event, labels })
  }
  delete transition.state.active[key]
  if (transition.state.iterations[key]) stopIterations(transition, key)
  if (event.may_have_arrived) registerDoubt(transition, key)
  failNode(transition, key, event.error, event.timeout)
}

/** Starts at least one ready node, and more until the limits of the call are reached. */
function startReadyNodes(transition: Transition, limit: number, takeOver?: TakeOver): void {
  while (hasStartable(transition, takeOver)) {
    if (transition.state.activations >= MAX_ACTIVATIONS) {
      return stopRun(transition, 'failed', {
        code: 'TOO_MANY_STEPS',
        message: `a run must start at most ${MAX_ACTIVATIONS} nodes`,
      })
    }
    if (
      transition.started === MAX_ACTIVATIONS_PER_CALL ||
      (transition.started > 0 && transition.graph.meter.spent > limit)
    )
      return
    transition.started++
    transition.state.activations++
    startOrTakeOver(transition, takeStartable(transition, takeOver), takeOver)
  }
}

const hasStartable = ({ ready }: Transition, takeOver?: TakeOver): boolean =>
  takeOver ? ready.some(key => !takeOver.holds(key)) : ready.length > 0

/** Removes and returns the next node to start. */
function takeStartable({ ready }: Transition, takeOver?: TakeOver): string {
  if (!takeOver) return ready.shift() as string
  const startable = ready.filter(key => !takeOver.holds(key))
  const first = startable.reduce((best, key) => (takeOver.rank(key) < takeOver.rank(best) ? key : best))
  ready.splice(ready.indexOf(first), 1)
  return first
}

function startOrTakeOver(transition: Transition, key: string, takeOver?: TakeOver): void {
  const outcome = takeOver?.findOutcome(key, transition.state)
  if (outcome === 'held') return void transition.ready.push(key)
  if (isGiven(transition.state, key)) return finishGiven(transition, key)
  labelNode(transition, key)
  if (outcome === undefined) return startNode(transition, key)
  if (outcome.type === 'completed')
    return finishNode(transition, key, outcome.output, { ...outcome, labels: outcome.labels ?? [] })
  failNode(transition, key, outcome.error, outcome.timeout)
}

function finishGiven(transition: Transition, key: string): void {
  const { [key]: output = null, ...others } = transition.state.given ?? {}
  transition.state.given = others
  finishNode(transition, key, output, { is_given: true })
}

/** Lists the progress of active `map` nodes in the outermost graph, by key. */
export function* listMapProgress({
  iterations,
}: EngineState): Generator<[key: string, { done: number; total: number }]> {
  for (const [key, { items, next: startedCount, open }] of Object.entries(iterations))
    if (items && !key.includes('/')) yield [key, { done: startedCount - open, total: items.length }]
}

/** Counts finished and reachable nodes of the outermost graph. */
export function measureProgress(graph: Graph, state: EngineState): { done: number; total: number } {
  const nodes = Object.values(state.frames['']?.nodes ?? {})
  const reached = [...graph.nodes.values()].filter(({ incoming }) => incoming > 0)
  return {
    done: nodes.filter(node => node.status !== 'active').length,
    total: graph.starts.length + reached.length,
  }
}
