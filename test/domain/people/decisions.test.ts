import * as fc from 'fast-check'
import { ACTIONS } from '../../../domain/people/intervention.ts'
import type { JsonObject, JsonValue } from '../../../domain/shared/json/json.ts'
import type { PathwayDefinition, PathwayNode } from '../../../domain/pathways/definition.ts'
import { computeCovers } from '../../../domain/pathways/decisions/covers.ts'
import type { Command } from '../../../domain/pathways/engine/commands.ts'
import { buildNodeKey, getNode, listEnclosingFrames, splitKey } from '../../../domain/pathways/engine/node-keys.ts'
import type { EngineResult } from '../../../domain/pathways/engine/next.ts'
import type { EngineState } from '../../../domain/pathways/engine/state.ts'
import { findGraphNode, listKeysAfter } from '../../../domain/pathways/fork/fork-point.ts'
import { planFork } from '../../../domain/pathways/fork/plan-fork.ts'
import { compileGraph, type Graph, type GraphNode } from '../../../domain/pathways/graph.ts'
import { createDroppedCheck } from '../../../domain/pathways/migration/drop-decisions.ts'
import { planMigration } from '../../../domain/pathways/migration/plan-migration.ts'
import { validateDefinition } from '../../../domain/pathways/validate.ts'
import { body, http, human, loop, map, node, pathway, value } from '../support/builders.ts'
import { changePathway } from '../support/changed-pathway.ts'
import { Choices, choices } from '../support/choices.ts'
import { AT, EngineHarness, outputOf } from '../support/engine-harness.ts'
import { goOn, planForkOf, recordOf } from '../support/forking.ts'
import { randomPathway } from '../support/random-pathway.ts'
import { INPUT, RandomRun } from '../support/random-run.ts'

/** Adds a node for every answer without an edge. */
const withRejects = (nodes: PathwayNode[], lines: string[]): [PathwayNode[], string[]] => {
  const ports = nodes.flatMap(({ id, type }) => (type === 'human' ? [`${id}.approve`, `${id}.reject`] : []))
  const missing = ports.filter(port => !lines.some(line => line.startsWith(`${port} `)))
  if (missing.length === 0) return [nodes, lines]
  return [
    [...nodes, value('other', 1)],
    [...lines, ...missing.map(port => `${port} > other`)],
  ]
}
const asking = (nodes: PathwayNode[], lines: string[]) => pathway(...withRejects(nodes, lines))
const askingBody = (nodes: PathwayNode[], lines: string[] = []) => body(...withRejects(nodes, lines))

const pay = (more: object = {}) =>
  http('pay', { with: { method: 'POST', url: 'https://bank.test', json: { sum: '${input.amount}' } }, ...more })

const toPay = asking([human('review'), pay()], ['review.approve > pay'])

const approved = (definition: PathwayDefinition, input: JsonValue, upTo: (run: EngineHarness) => void = () => {}) => {
  const run = new EngineHarness(definition, input)
  run.start()
  upTo(run)
  run.complete('review', { action: 'approve' }, 'approve')
  return run
}

const changedOf = (run: EngineHarness, definition: PathwayDefinition, request: object) => {
  const { problems, asked_again } = planForkOf(run, definition, request)
  expect(problems).toEqual([])
  return Object.fromEntries(asked_again.map(({ key, changed }) => [key, changed]))
}

describe('a decision', () => {
  const paid = approved(toPay, { amount: 10, note: 'x' })
  paid.complete('pay', outputOf('pay'))

  test('holds in a fork without changes', () => {
    const plan = planForkOf(paid, toPay, { from: 'pay' })
    expect(plan.asked_again).toEqual([])
    expect(plan.kept_decisions).toEqual(['review'])
    expect(plan.repeated).toMatchObject([{ key: 'pay', decided_at: ['review'] }])
  })

  test('holds if the fork changes data that neither its request nor later nodes read', () => {
    expect(changedOf(paid, toPay, { from: 'pay', input: { amount: 10, note: 'y' } })).toEqual({})
  })

  test.each<[what: string, input: JsonValue]>([
    ['another value', { amount: 1_000_000, note: 'x' }],
    ['another type', { amount: '10', note: 'x' }],
    ['null', { amount: null, note: 'x' }],
    ['no value', { note: 'x' }],
  ])('is requested again before its subject takes effect with %s', (_, input) => {
    const plan = planForkOf(paid, toPay, { from: 'pay', input })
    expect(plan.asked_again).toMatchObject([{ key: 'review', changed: ['input.amount'] }])
    expect(plan.runs).toMatchObject([{ key: 'review', reason: 'asked_again' }, { key: 'pay', reason: 'after' }, {}])
    const fork = new EngineHarness(toPay)
    fork.state = plan.state
    fork.deliver({ type: 'continue', at: AT })
    expect(fork.keys).toEqual(['review'])
  })

  test('is requested again if people were shown other data', () => {
    const shown = asking([human('review', { description: 'Pay for ${input.note}' }), pay()], ['review.approve > pay'])
    const run = approved(shown, { amount: 10, note: 'x' })
    expect(changedOf(run, shown, { input: { amount: 10, note: 'y' } })).toEqual({ review: ['input.note'] })
  })

  test('is requested again if other people may decide', () => {
    const open = asking([human('review', { assignees: ['${input.team}'] }), pay()], ['review.approve > pay'])
    const run = approved(open, { amount: 10, team: 'group:a' })
    expect(changedOf(run, open, { input: { amount: 10, team: 'group:b' } })).toEqual({ review: ['input.team'] })
  })

  test.each<[what: string, changed: object]>([
    ['its URL', { with: { method: 'POST', url: 'https://other.test', json: { sum: '${input.amount}' } } }],
    ['its value', { with: { method: 'POST', url: 'https://bank.test', json: { sum: 1_000_000 } } }],
    ['its retries', { retry: { max_attempts: 5 } }],
  ])('is requested again if a later node has changed in %s', (_, changed) => {
    const other = asking([human('review'), pay(changed)], ['review.approve > pay'])
    expect(changedOf(paid, other, { from: 'pay' })).toEqual({ review: ['definition'] })
  })

  test('holds if only earlier nodes have changed', () => {
    const two = (url: string) =>
      asking([http('quote', { with: { url } }), human('review'), pay()], ['quote > review', 'review.approve > pay'])
    const run = approved(two('https://a.test'), { amount: 10 }, started => started.complete('quote'))
    run.complete('pay', outputOf('pay'))
    expect(changedOf(run, two('https://b.test'), { from: 'pay' })).toEqual({})
  })

  test('is requested again if a later join now waits for fewer branches', () => {
    const nodes = [human('review'), human('second'), node('join', 'both', { mode: 'all' }), pay()]
    const one = asking(nodes, ['review.approve > both', 'second.approve > both', 'both > pay'])
    const other = asking(nodes, ['review.approve > both', 'both > pay'])
    const run = new EngineHarness(one, { amount: 10 })
    run.start()
    run.complete('second', { action: 'approve' }, 'approve')
    run.complete('review', { action: 'approve' }, 'approve')
    run.complete('pay', outputOf('pay'))
    expect(changedOf(run, other, { from: 'pay' })).toMatchObject({ review: ['definition'] })
  })

  test('is requested again if the child pathway of a later node has another version', () => {
    const calling = asking([human('review'), node('pathway', 'child', { ref: 'payment' })], ['review.approve > child'])
    const pinned = (version: number) => ({
      subflows: { payment: { id: 'p', slug: 'payment', version, title: 'Payment', definition: toPay } },
    })
    const run = new EngineHarness(calling, null, pinned(1))
    run.start()
    run.complete('review', { action: 'approve' }, 'approve')
    expect(changedOf(run, calling, { pins: pinned(1) })).toEqual({})
    expect(changedOf(run, calling, { pins: pinned(2) })).toEqual({ review: ['definition'] })
  })

  test('within a child pathway covers the nodes after it', () => {
    const calling = pathway([node('pathway', 'ask', { ref: 'approval' }), pay()], ['ask > pay'])
    const pins = { subflows: { approval: { id: 'a', slug: 'approval', version: 1, title: 'A', definition: toPay } } }
    const run = new EngineHarness(calling, { amount: 10 }, pins)
    run.start()
    run.complete('ask', {})
    run.complete('pay', outputOf('pay'))
    expect(changedOf(run, calling, { from: 'pay', pins })).toEqual({})
    expect(changedOf(run, calling, { from: 'pay', pins, input: { amount: 20 } })).toEqual({ ask: ['input.amount'] })
    const given = planForkOf(run, calling, { from: 'pay', pins, outputs: { ask: { approved: true } } })
    expect(given.problems).toMatchObject([{ pointer: '/outputs/ask' }])
  })

  test('within iterations covers the nodes after them', () => {
    const inner = askingBody([human('review')])
    const each = pathway([map('each', inner), pay()], ['each > pay'])
    const input = { list: [1], amount: 10 }
    const run = new EngineHarness(each, input)
    run.start()
    run.complete('each[0]/review', { action: 'approve' }, 'approve')
    run.complete('pay', outputOf('pay'))
    expect(changedOf(run, each, { from: 'pay', input: { ...input, amount: 20 } })).toEqual({ each: ['input.amount'] })
    expect(changedOf(run, each, { from: 'pay', input: { ...input, list: [1] } })).toEqual({})
  })

  test('covers only the item of its iteration', () => {
    const paying = askingBody(
      [human('review'), http('pay', { with: { method: 'POST', url: 'https://x.test/${item}' } }), http('note')],
      ['review.approve > pay', 'pay > note'],
    )
    const each = pathway([map('each', paying)], [])
    const run = new EngineHarness(each, { list: [1, 2] })
    run.start()
    for (const key of ['each[0]', 'each[1]']) {
      run.complete(`${key}/review`, { action: 'approve' }, 'approve')
      run.complete(`${key}/pay`, outputOf('pay'))
    }
    const asked = changedOf(run, each, { input: { list: [1, 3] } })
    expect(Object.keys(asked)).toEqual(['each[1]/review'])
  })

  const quoted = asking(
    [
      human('review'),
      http('quote'),
      http('pay', { with: { method: 'POST', url: 'https://x.test', json: '${nodes.quote.output}' } }),
    ],
    ['review.approve > quote', 'quote > pay'],
  )

  test('holds for values that are created after it', () => {
    const run = approved(quoted, null)
    run.complete('quote', outputOf('quote'))
    run.complete('pay', outputOf('pay'))
    expect(changedOf(run, quoted, { from: 'pay' })).toEqual({})
  })

  test('is requested again before a later node gets an output by hand, and the output is kept', () => {
    const run = approved(quoted, null)
    run.complete('quote', outputOf('quote'))
    run.complete('pay', outputOf('pay'))
    const output = { status: 200, n: 1_000_000 }
    const plan = planForkOf(run, quoted, { from: 'pay', outputs: { quote: output } })
    expect(plan.problems).toEqual([])
    expect(plan.asked_again).toMatchObject([{ key: 'review', changed: ['nodes.quote'] }])
    const fork = new EngineHarness(quoted)
    fork.state = JSON.parse(JSON.stringify(plan.state)) as EngineState
    fork.deliver({ type: 'continue', at: AT })
    expect(fork.keys).toEqual(['review'])
    fork.complete('review', { action: 'approve' }, 'approve')
    expect([...fork.open.values()]).toMatchObject([{ key: 'pay', with: { json: output } }])
    // The value was known when people decided again, so the new decision covers it.
    fork.complete('pay', outputOf('pay'))
    const again = planForkOf(fork, quoted, { from: 'pay', nodes: mergeRecords(plan, run, fork) })
    expect(again.asked_again).toEqual([])
    const third = planForkOf(fork, quoted, {
      from: 'pay',
      nodes: mergeRecords(plan, run, fork),
      outputs: { quote: { status: 200, n: 3 } },
    })
    expect(third.asked_again).toMatchObject([{ key: 'review' }])
  })

  test('holds if the output given by hand equals the recorded one', () => {
    const run = approved(quoted, null)
    run.complete('quote', outputOf('quote'))
    run.complete('pay', outputOf('pay'))
    const same = planFork(quoted, {
      input: null,
      run: run.state.run,
      nodes: recordOf(run),
      at: AT,
      from: 'pay',
      outputs: { quote: outputOf('quote') },
    })
    expect(same.asked_again).toEqual([])
  })

  test('also covers the next iterations of its loop', () => {
    const turn = askingBody([human('review'), pay()], ['review.approve > pay'])
    const turns = pathway([loop('turns', 'iteration >= 2', 2, turn)], [])
    const run = new EngineHarness(turns, { amount: 10 })
    run.start()
    run.complete('turns[1]/review', { action: 'approve' }, 'approve')
    expect(Object.keys(computeCovers(run.graph, run.state, 'turns[1]/review').values)).toContain('input.amount')
    const asked = changedOf(run, turns, { input: { amount: 20 } })
    expect(asked).toEqual({ 'turns[1]/review': ['input.amount'] })
  })

  test('without a record of its subject is requested again', () => {
    const nodes = recordOf(paid).map(({ covers: _covers, ...recorded }) => recorded)
    expect(changedOf(paid, toPay, { from: 'pay', nodes })).toEqual({ review: ['decision'] })
  })

  test('about malformed text is hashed', () => {
    const run = approved(toPay, { amount: '\ud83d' })
    run.complete('pay', outputOf('pay'))
    expect(changedOf(run, toPay, { from: 'pay' })).toEqual({})
    expect(changedOf(run, toPay, { from: 'pay', input: { amount: '\ud83e' } })).toEqual({ review: ['input.amount'] })
  })
})

test.each([
  [toPay, true],
  [pathway([http('pay')], []), false],
])('each of several pathways with many mutual references is inspected once', (last, decides) => {
  const calls = (ref: string) => Array.from({ length: 10 }, (_, i) => node('pathway', `call${i}`, { ref }))
  const depth = 20
  const levels = Array.from({ length: depth }, (_, level) => {
    const definition = level === depth - 1 ? last : pathway(calls(`level-${level + 1}`), [])
    const slug = `level-${level}`
    return [slug, { id: slug, slug, version: 1, title: slug, definition }] as const
  })
  const pins = { subflows: Object.fromEntries(levels) }
  const { nodes } = compileGraph(pathway(calls('level-0'), []), { pins })
  expect([...nodes.values()].map(one => one.decides)).toEqual(Array.from({ length: 10 }, () => decides))
})

/** Returns the rows for a fork: copied nodes and executed nodes. */
function mergeRecords(plan: { copied: string[] }, origin: EngineHarness, fork: EngineHarness) {
  const copied = recordOf(origin).filter(({ key }) => plan.copied.includes(key))
  return [...copied, ...recordOf(fork)]
}

/** A run that stores the state before each decision, and the state in which each effect started. */
class ObservedRun extends RandomRun {
  readonly decided = new Map<string, EngineState>()

  override deliver(event: Parameters<RandomRun['deliver']>[0]): EngineResult {
    const asked = 'key' in event ? this.open.get(event.key) : undefined
    if (event.type === 'completed' && asked?.type === 'ask') this.decided.set(event.key, this.state)
    return super.deliver(event)
  }
}

class ObservedFork extends EngineHarness {
  readonly begun: { command: Command & { key: string }; state: EngineState }[] = []

  override deliver(event: Parameters<EngineHarness['deliver']>[0]): EngineResult {
    const step = super.deliver(event)
    for (const command of step.commands)
      if ('key' in command && ['run', 'child', 'ask'].includes(command.type))
        this.begun.push({ command, state: step.state })
    return step
  }
}

/** Makes effects read the input and earlier outputs. */
function withReads(definition: PathwayDefinition, decide: Choices): PathwayDefinition {
  const changed = structuredClone(definition)
  const visit = (nodes: PathwayNode[]): void => {
    for (const [i, one] of nodes.entries()) {
      if ('body' in one) visit(one.body.nodes)
      if (one.type !== 'http' || !decide.once(2)) continue
      const [read, other] = [decide.of(['amount', 'note', 'list']), nodes[Math.max(0, i - 1)]?.id ?? '']
      const before = decide.once(2) ? `\${has(nodes.${other}) ? nodes.${other}.status : "none"}` : null
      one.with = { ...one.with, json: { read: `\${input.${read}}`, before } }
    }
  }
  visit(changed.nodes)
  return validateDefinition(changed).ok ? changed : definition
}

const readPath = (input: JsonValue, path: string[]): JsonValue =>
  path.reduce<JsonValue>((found, name) => (found as JsonObject)[name] ?? null, input)

const findDone = (state: EngineState, frameId: string, id: string): [key: string, output: JsonValue] | undefined => {
  for (const frame of listEnclosingFrames(frameId)) {
    const found = state.frames[frame]?.nodes[id]
    if (found?.status === 'done') return [buildNodeKey(frame, id), found.output ?? null]
  }
  return undefined
}

const listReads = ({ bindings, body: inner }: GraphNode): { nodes: string[]; inputReads: string[][] }[] => [
  ...bindings.values(),
  ...(inner ? [...inner.nodes.values()].flatMap(listReads) : []),
]

/** Returns whether a join between the two nodes does not wait for the decision. */
const isRaced = (graph: Graph, key: string, behind: string): boolean =>
  listKeysAfter(graph, key).some(after => {
    const { node } = getNode(graph, after)
    const isRace = node.type === 'join' && node.mode !== undefined && node.mode !== 'all'
    return isRace && (after === behind || listKeysAfter(graph, after).includes(behind))
  })

test('no effect after a valid decision uses values or a definition other than those that people decided on', () => {
  let [kept, dropped] = [0, 0]
  const holds = fc.property(choices(100), choices(250), choices(40), (shape, played, picks) => {
    const decide = new Choices(picks)
    const definition = withReads(randomPathway(new Choices(shape), { races: true, failures: false }), decide)
    const run = new ObservedRun(definition, new Choices(played), { failures: false, cancelIn: 0, repeats: false }).run()
    const points = recordOf(run).filter(({ status }) => status === 'completed')
    const input = decide.once(2) ? { ...INPUT, [decide.of(['amount', 'note'])]: 99 } : INPUT
    const other = decide.once(2) ? (changePathway(definition, decide) ?? definition) : definition
    const replaced = decide.of(points)
    const outputs = decide.once(2) && replaced.node_type === 'http' ? { [replaced.key]: { status: 200, n: 99 } } : {}
    const request = { from: decide.of(points).key, input, outputs }
    const plan = planForkOf(run, other, request)
    if (plan.problems.length > 0) return
    const fork = goOn(other, plan, outputOf, new ObservedFork(other, input)) as ObservedFork
    kept += plan.kept_decisions.length
    dropped += plan.asked_again.length
    const graph = compileGraph(other)
    const firstAsk = new Map(fork.begun.map(({ command }, i) => [command.key, i]).toReversed() as [string, number][])
    for (const { key } of plan.asked_again) {
      if (getNode(graph, key).node.type !== 'human') continue
      for (const behind of listKeysAfter(graph, key)) {
        const [asked, began] = [firstAsk.get(key), firstAsk.get(behind)]
        if (asked === undefined || began === undefined) continue
        if (listKeysAfter(graph, behind).includes(key) || isRaced(graph, key, behind)) continue
        expect(asked).toBeLessThan(began)
      }
    }
    for (const [key, state] of run.decided) {
      if (!plan.kept_decisions.includes(key)) continue
      const behind = new Set(listKeysAfter(graph, key))
      for (const { command, state: now } of fork.begun) {
        if (command.type === 'ask' || !behind.has(command.key)) continue
        const found = getNode(graph, command.key)
        expect(found.node).toEqual(findGraphNode(run.graph, command.key)?.node)
        const { frameId } = splitKey(command.key)
        for (const { nodes, inputReads } of listReads(found)) {
          for (const path of inputReads) expect(readPath(input, path)).toEqual(readPath(INPUT, path))
          for (const id of nodes) {
            const known = findDone(state, frameId, id)
            if (known && known[0] !== key) expect(findDone(now, frameId, id)).toEqual(known)
          }
        }
      }
    }
  })
  fc.assert(holds, { numRuns: 300 })
  expect(kept).toBeGreaterThan(10)
  expect(dropped).toBeGreaterThan(3)
}, 60_000)

/** Changes the calls in nodes that the run has not started. */
function changeLater(definition: PathwayDefinition, run: RandomRun, decide: Choices): PathwayDefinition {
  const begun = new Set([...run.begun].map(key => splitKey(key).nodeId))
  const changed = structuredClone(definition)
  const visit = (nodes: PathwayNode[]): void => {
    for (const one of nodes) {
      if ('body' in one) visit(one.body.nodes)
      if (one.type === 'http' && !begun.has(one.id) && decide.once(2)) one.with = { ...one.with, url: 'http://y.test' }
    }
  }
  visit(changed.nodes)
  return changed
}

/** Adds a question before everything else, and a wait after it. */
function withGate({ nodes, edges, ...rest }: PathwayDefinition): PathwayDefinition {
  const reached = new Set([...edges.map(({ to }) => to), ...nodes.map(({ compensate }) => compensate)])
  const starts = nodes.filter(({ id }) => !reached.has(id)).map(({ id }) => ({ from: 'pause', to: id }))
  const gate = [human('gate'), node('wait', 'pause', { event: 'go' })]
  const ways = ACTIONS.approval.map(on => ({ from: 'gate', on, to: 'pause' }))
  const gated = { ...rest, nodes: [...gate, ...nodes], edges: [...ways, ...starts, ...edges] }
  return validateDefinition(gated).ok ? gated : { ...rest, nodes, edges }
}

test('no effect after a decision uses another definition after a migration, unless people are asked again first', () => {
  let [kept, asked] = [0, 0]
  const holds = fc.property(choices(100), choices(250), choices(40), fc.nat(1), (shape, played, picks, more) => {
    const decide = new Choices(picks)
    const random = withReads(randomPathway(new Choices(shape), { races: true, failures: false }), decide)
    const definition = decide.once(2) ? withGate(random) : random
    const profile = { failures: false, cancelIn: 0, repeats: false }
    const run = new ObservedRun(definition, new Choices(played), profile)
    run.runUntil(() => run.decided.size > more)
    while (run.yields > 0) run.deliver({ type: 'continue', at: AT })
    const other = decide.once(4)
      ? (changePathway(definition, decide) ?? definition)
      : changeLater(definition, run, decide)
    if (run.end || !validateDefinition(other).ok) return
    const moved = new ObservedFork(other, INPUT)
    const plan = planMigration(run.graph, moved.graph, run.state, AT)
    if (plan.problems.length > 0) return
    const isDropped = createDroppedCheck(plan.dropped)
    for (const [key, command] of run.open) if (!isDropped(key)) moved.open.set(key, command)
    goOn(other, plan, outputOf, moved)
    asked += plan.asked_again.length
    for (const { key } of plan.asked_again) {
      // Nothing after the decision has started, and nothing starts before people are asked.
      const behind = new Set(
        listKeysAfter(run.graph, key).filter(one => splitKey(one).frameId === splitKey(key).frameId),
      )
      const isEffect = ({ command }: { command: Command }) => command.type === 'run' || command.type === 'child'
      expect(
        run.commands.filter(command => 'key' in command && behind.has(command.key) && isEffect({ command })),
      ).toEqual([])
      const question = moved.begun.findIndex(({ command }) => command.key === key)
      const first = moved.begun.findIndex(({ command }) => behind.has(command.key))
      if (first >= 0 && getNode(moved.graph, key).node.type === 'human') {
        expect(question).toBeGreaterThanOrEqual(0)
        if (listKeysAfter(moved.graph, key).includes(moved.begun[first]?.command.key ?? ''))
          expect(question).toBeLessThan(first)
      }
    }
    for (const key of run.decided.keys()) {
      const isClosed = run.state.frames[splitKey(key).frameId] === undefined
      if (isDropped(key) || isClosed) continue
      kept++
      const behind = new Set(listKeysAfter(run.graph, key))
      for (const { command } of moved.begun) {
        if (command.type === 'ask' || !behind.has(command.key)) continue
        expect(getNode(moved.graph, command.key).node).toEqual(findGraphNode(run.graph, command.key)?.node)
      }
    }
  })
  fc.assert(holds, { numRuns: 200 })
  expect(kept).toBeGreaterThan(10)
  expect(asked).toBeGreaterThan(3)
}, 60_000)
