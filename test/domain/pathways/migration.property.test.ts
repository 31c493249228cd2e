import * as fc from 'fast-check'
import { ACTIONS } from '../../../domain/people/intervention.ts'
import type { PathwayDefinition } from '../../../domain/pathways/definition.ts'
import type { EngineEvent } from '../../../domain/pathways/engine/commands.ts'
import type { EngineState } from '../../../domain/pathways/engine/state.ts'
import { createDroppedCheck } from '../../../domain/pathways/migration/drop-decisions.ts'
import { planMigration } from '../../../domain/pathways/migration/plan-migration.ts'
import type { MigrationPlan } from '../../../domain/pathways/migration/types.ts'
import { changePathway } from '../support/changed-pathway.ts'
import { Choices, choices } from '../support/choices.ts'
import { AT, type Begun, digest, EngineHarness } from '../support/engine-harness.ts'
import { type Allowed, randomPathway } from '../support/random-pathway.ts'

const INPUT = { list: [1, 2, 3], flags: [true, false] }

/** Derives the outcome of a node from its command. */
function toOutcome(command: Begun, failures: boolean): EngineEvent {
  const { key } = command
  const { type, node } = command
  const asked =
    type === 'run' ? command.with : type === 'ask' ? command.request : type === 'child' ? command.input : node.id
  const drawn = digest(`${key} ${JSON.stringify(asked)}`)
  if (failures && drawn % 5 === 0)
    return { type: 'failed', key, at: AT, error: { code: 'BAD', message: 'no' }, timeout: drawn % 2 === 0 }
  const actions = node.type === 'human' ? ACTIONS[node.kind] : []
  return {
    type: 'completed',
    key,
    at: AT,
    output: { n: drawn % 10, id: node.id },
    port: actions[drawn % actions.length],
  }
}

/** Delivers possible events in random order, until nothing is left or the steps are used up. */
function play(run: EngineHarness, decide: Choices, failures: boolean, steps = 2_000): EngineEvent[] {
  const told: EngineEvent[] = []
  for (let i = 0; i < steps && !run.end; i++) {
    if (run.yields > 0) run.deliver({ type: 'continue', at: AT })
    const [undoing] = run.undoing
    const open = [...run.open.values()].filter(({ type }) => type !== 'deadline')
    if (undoing) run.undone(undoing.key)
    else if (open.length > 0) {
      const command = decide.of(open)
      const event = run.cancelled.has(command.key)
        ? ({ type: 'settled', key: command.key, at: AT, outcome: 'stopped' } as const)
        : toOutcome(command, failures)
      told.push(event)
      run.deliver(event)
    }
  }
  return told
}

function begin(definition: PathwayDefinition): EngineHarness {
  const run = new EngineHarness(definition, INPUT)
  run.start()
  return run
}

/** Continues a run with another definition. */
function goOn(run: EngineHarness, definition: PathwayDefinition, { state, dropped }: MigrationPlan): EngineHarness {
  const isDropped = createDroppedCheck(dropped)
  const moved = new EngineHarness(definition, INPUT)
  moved.state = JSON.parse(JSON.stringify(state)) as EngineState
  for (const [key, command] of run.open) if (!isDropped(key)) moved.open.set(key, command)
  if (dropped.length > 0) moved.deliver({ type: 'continue', at: AT })
  moved.yields = 0
  return moved
}

/** Delivers the events to a new run, each one once its node is active. */
function retell(definition: PathwayDefinition, events: EngineEvent[]): EngineState {
  const run = begin(definition)
  const left = [...events]
  for (let found = 0; found >= 0;) {
    while (run.yields > 0) run.deliver({ type: 'continue', at: AT })
    found = left.findIndex(event => 'key' in event && run.open.has(event.key))
    const [event] = found < 0 ? [] : left.splice(found, 1)
    if (event) run.deliver(event)
  }
  return run.state
}

/** Makes states comparable: branches and iterations that ended in a different order have the same outcome. */
const comparable = (state: EngineState): unknown => ({
  ...state,
  compensations: new Set(state.compensations.flat()),
  frames: Object.fromEntries(
    Object.entries(state.frames).map(([id, frame]) => [
      id,
      {
        ...frame,
        arrivals: Object.fromEntries(
          Object.entries(frame.arrivals).map(([node, { from, dead }]) => [node, { from: from.toSorted(), dead }]),
        ),
      },
    ]),
  ),
})

const withoutCounts = (state: EngineState): EngineState => ({
  ...state,
  activations: 0,
  outputChars: 0,
  frames: Object.fromEntries(Object.entries(state.frames).map(([id, frame]) => [id, { ...frame, outputChars: 0 }])),
})

/** Plays a part of a random run, and moves it to a changed pathway. Returns undefined if there is nothing to move. */
function moveRandom(graph: number[], decided: number[], pick: number, allowed: Allowed) {
  const definition = randomPathway(new Choices(graph), allowed)
  const changed = changePathway(definition, new Choices(decided.slice(0, 60)))
  if (!changed) return undefined
  const run = begin(definition)
  const told = play(run, new Choices(decided.slice(60)), allowed.failures, pick % 12)
  while (run.yields > 0) run.deliver({ type: 'continue', at: AT })
  const after = new EngineHarness(changed, INPUT)
  const plan = planMigration(run.graph, after.graph, run.state, AT)
  return run.end ? undefined : { definition, changed, run, told, plan }
}

describe('any run that can be moved', () => {
  test('ends like a new run of the other version that gets the same answers', () => {
    let count = 0
    const allowed = { races: false, failures: false }
    const same = fc.property(choices(100), choices(300), fc.nat(), (graph, decided, pick) => {
      const found = moveRandom(graph, decided, pick, allowed)
      if (!found || found.plan.problems.length > 0) return
      count++
      const moved = goOn(found.run, found.changed, found.plan)
      play(moved, new Choices(decided), false)
      const fresh = begin(found.changed)
      play(fresh, new Choices(decided.toReversed()), false)
      const { end: expected = { outcome: undefined } } = fresh
      expect(moved.end?.outcome).toBe(expected.outcome)
      // If something fails, the order determines what is stopped.
      const isOrdered = expected.outcome === 'completed' && !fresh.commands.some(({ type }) => type === 'cancel')
      if (isOrdered) expect(moved.end).toEqual(expected)
    })
    fc.assert(same, { numRuns: 150, endOnFailure: true, includeErrorInReport: true })
    expect(count).toBeGreaterThan(5)
  })

  test('has the same state as a new run after the same events, whatever failed or raced', () => {
    let count = 0
    const same = fc.property(choices(100), choices(300), fc.nat(), (graph, decided, pick) => {
      const found = moveRandom(graph, decided, pick, { races: true, failures: true })
      if (!found || found.plan.problems.length > 0) return
      count++
      const { plan, told } = found
      const isDropped = createDroppedCheck(plan.dropped)
      const kept = told.filter(event => !('key' in event && isDropped(event.key)))
      const moved = goOn(found.run, found.changed, plan).state
      const fresh = retell(found.changed, kept)
      // Work done before people are asked again still counts towards the limits of the run.
      const [one, other] = plan.dropped.length > 0 ? [withoutCounts(moved), withoutCounts(fresh)] : [moved, fresh]
      expect(comparable(one)).toEqual(comparable(other))
    })
    fc.assert(same, { numRuns: 150, endOnFailure: true, includeErrorInReport: true })
    expect(count).toBeGreaterThan(5)
  })

  test('can be moved back to its original state', () => {
    const same = fc.property(choices(100), choices(300), fc.nat(), (graph, decided, pick) => {
      const found = moveRandom(graph, decided, pick, { races: true, failures: true })
      if (!found || found.plan.problems.length > 0 || found.plan.asked_again.length > 0) return
      const after = new EngineHarness(found.changed, INPUT).graph
      const back = planMigration(after, found.run.graph, found.plan.state, AT)
      expect(back.problems).toEqual([])
      expect(comparable(back.state)).toEqual(comparable(found.run.state))
    })
    fc.assert(same, { numRuns: 200, endOnFailure: true, includeErrorInReport: true })
  })

  test('stays unchanged when the versions are identical', () => {
    const same = fc.property(choices(100), choices(300), fc.nat(), (graph, decided, pick) => {
      const found = moveRandom(graph, decided, pick, { races: true, failures: true })
      if (!found || found.run.state.phase !== 'running' || Object.keys(found.run.state.stopping).length > 0) return
      const { problems, state, milestones } = planMigration(found.run.graph, found.run.graph, found.run.state, AT)
      expect({ problems, milestones }).toEqual({ problems: [], milestones: [] })
      expect(comparable(state)).toEqual(comparable(found.run.state))
    })
    fc.assert(same, { numRuns: 200, endOnFailure: true, includeErrorInReport: true })
  })
})
