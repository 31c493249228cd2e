import * as fc from 'fast-check'
import type { PathwayDefinition } from '../../../domain/pathways/definition.ts'
import { buildNodeKey, splitKey } from '../../../domain/pathways/engine/node-keys.ts'
import { validateDefinition } from '../../../domain/pathways/validate.ts'
import { Choices, choices } from '../support/choices.ts'
import { type RunProfile, RandomRun } from '../support/random-run.ts'
import { type Allowed, randomPathway, withBusyNeighbor } from '../support/random-pathway.ts'

const ANYTHING = { races: true, failures: true }
const GRAPH = choices(100)
const CHOICES = choices(250)
const PROFILE: fc.Arbitrary<RunProfile> = fc.record({
  failures: fc.boolean(),
  cancelIn: fc.constantFrom(0, 10, 40),
  repeats: fc.boolean(),
})

function randomDefinition(graph: number[], allowed: Allowed): PathwayDefinition {
  const definition = randomPathway(new Choices(graph), allowed)
  const checked = validateDefinition(definition)
  if (!checked.ok) throw new Error(`the test made a bad pathway: ${JSON.stringify(checked.problems)}`)
  return definition
}

/** Each step is checked while the run is played; see Play. */
const play = (definition: PathwayDefinition, choices: number[], profile: RunProfile): RandomRun =>
  new RandomRun(definition, new Choices(choices), profile).run()

/** Returns the key of a node's compensation. */
function undoKey(key: string): string {
  const { frameId, nodeId } = splitKey(key)
  return buildNodeKey(frameId, `undo_${nodeId}`)
}

describe('any run of any pathway', () => {
  test('ends once, with nothing open, after any events in any order', () => {
    const ends = fc.property(GRAPH, CHOICES, PROFILE, (graph, choices, profile) => {
      const { end, commands, state } = play(randomDefinition(graph, ANYTHING), choices, profile)
      expect(commands.filter(({ type }) => type === 'finish')).toEqual([end])
      expect(state).toMatchObject({ phase: 'over', active: {}, stopping: {}, iterations: {}, ready: [] })
      if (end?.outcome === 'completed') expect(Object.keys(state.frames)).toEqual([''])
    })
    fc.assert(ends, { numRuns: 150 })
  })

  test('ends the same way with long computations in between', () => {
    const ends = fc.property(GRAPH, CHOICES, PROFILE, (graph, choices, profile) => {
      const definition = withBusyNeighbor(randomDefinition(graph, ANYTHING))
      expect(play(definition, choices, profile).state).toMatchObject({ phase: 'over', active: {}, ready: [] })
    })
    fc.assert(ends, { numRuns: 8 })
  })

  test('has the same result for every order of answers, if there are no failures or races', () => {
    const profile = { failures: false, cancelIn: 0, repeats: false }
    const same = fc.property(GRAPH, CHOICES, CHOICES, (graph, one, other) => {
      const definition = randomDefinition(graph, { races: false, failures: false })
      const [first, second] = [play(definition, one, profile), play(definition, other, profile)]
      expect(first.end?.outcome).toBe('completed')
      expect(second.end).toEqual(first.end)
      expect(second.begun).toEqual(first.begun)
    })
    fc.assert(same, { numRuns: 80 })
  })
})

describe('a failed or cancelled run', () => {
  const PROFILE = fc.record({
    failures: fc.boolean(),
    cancelIn: fc.constantFrom(10, 40),
    repeats: fc.boolean(),
  })

  test('compensates completed nodes once, last first, while a completed run compensates nothing', () => {
    const undoes = fc.property(GRAPH, CHOICES, PROFILE, (graph, choices, profile) => {
      const { end, commands, done } = play(randomDefinition(graph, ANYTHING), choices, profile)
      const undone = commands.flatMap(command => (command.type === 'compensate' ? [command.key] : []))
      expect(undone).toEqual(end?.outcome === 'completed' ? [] : done.toReversed().map(undoKey))
    })
    fc.assert(undoes, { numRuns: 150 })
  })

  test('lists everything that it stopped or compensated', () => {
    const accounts = fc.property(GRAPH, CHOICES, PROFILE, (graph, choices, profile) => {
      const { end, done, stopped } = play(randomDefinition(graph, ANYTHING), choices, profile)
      if (!end || end.outcome === 'completed') return expect(end?.receipt).toEqual([])
      const undone = end.receipt.filter(({ outcome }) => outcome.startsWith('compensat'))
      const halted = end.receipt.filter(({ outcome }) => !outcome.startsWith('compensat'))
      expect(undone.map(({ key }) => key)).toEqual(done.toReversed())
      expect(halted.map(({ key }) => key).sort()).toEqual(stopped.toSorted())
    })
    fc.assert(accounts, { numRuns: 150 })
  })
})
