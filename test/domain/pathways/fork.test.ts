import * as fc from 'fast-check'
import type { JsonValue } from '../../../domain/shared/json/json.ts'
import type { ForkPlan, ForkRequest } from '../../../domain/pathways/fork/types.ts'
import { body, http, human, loop, map, node, pathway, value } from '../support/builders.ts'
import { Choices, choices } from '../support/choices.ts'
import { AT, EngineHarness, outputOf } from '../support/engine-harness.ts'
import { goOn, planForkOf as plan, recordOf } from '../support/forking.ts'
import { randomPathway } from '../support/random-pathway.ts'
import { RandomRun } from '../support/random-run.ts'

const messages = ({ problems }: ForkPlan) => problems.map(({ pointer, message }) => `${pointer}: ${message}`)

describe('any fork of any run', () => {
  const PROFILE = { failures: false, cancelIn: 0, repeats: false }

  test('reuses everything before its node, and ends like the original run when it gets the same answers', () => {
    const same = fc.property(choices(100), choices(250), fc.nat(), (graph, decided, pick) => {
      const definition = randomPathway(new Choices(graph), { races: false, failures: false })
      const run = new RandomRun(definition, new Choices(decided), PROFILE).run()
      const points = recordOf(run).filter(({ status }) => status === 'completed')
      const from = points[pick % points.length]?.key ?? ''
      const found = plan(run, definition, { from })
      expect(found.problems).toEqual([])
      const fork = goOn(definition, found)
      expect(fork.end).toEqual(run.end)
      const begun = new Set(fork.commands.flatMap(command => ('node' in command ? command.key : [])))
      for (const { key, node_type } of found.reused)
        if (node_type !== 'map' && node_type !== 'loop') expect(begun).not.toContain(key)
      for (const { key } of found.repeated) expect(found.reused.map(reused => reused.key)).not.toContain(key)
    })
    fc.assert(same, { numRuns: 150 })
  })

  test('ends, whatever failed, raced or was cancelled before', () => {
    const ends = fc.property(choices(100), choices(250), fc.nat(), (graph, decided, pick) => {
      const definition = randomPathway(new Choices(graph), { races: true, failures: true })
      const run = new RandomRun(definition, new Choices(decided), {
        failures: true,
        cancelIn: 40,
        repeats: false,
      }).run()
      const points = recordOf(run).filter(({ status }) => status !== 'skipped')
      const from = pick % 4 === 0 ? undefined : points[pick % points.length]?.key
      const found = plan(run, definition, { from })
      if (found.problems.length > 0) return
      const fork = goOn(definition, found)
      expect(fork.end?.outcome).toMatch(/completed|failed/)
    })
    fc.assert(ends, { numRuns: 150 })
  })
})

describe('a fork', () => {
  const order = pathway(
    [
      http('price'),
      human('review'),
      http('pay', { compensate: 'refund' }),
      http('refund'),
      value('sum', '${nodes.price.output.n}'),
    ],
    ['price > review', 'review.approve > pay', 'review.reject > sum', 'pay > sum'],
  )

  function played(upTo: (run: EngineHarness) => void): EngineHarness {
    const run = new EngineHarness(order)
    run.start()
    upTo(run)
    return run
  }
  const paid = () =>
    played(run => {
      run.complete('price', outputOf('price'))
      run.complete('review', { action: 'approve' }, 'approve')
      run.complete('pay', outputOf('pay'))
    })

  test('lists reused nodes, nodes to run, and repeated effects', () => {
    const found = plan(paid(), order, { from: 'review' })
    expect(found.problems).toEqual([])
    expect(found.reused).toEqual([{ key: 'price', node_id: 'price', node_type: 'http', is_replaced: false }])
    expect(found.runs.map(({ key, reason }) => [key, reason])).toEqual([
      ['review', 'fork_point'],
      ['pay', 'after'],
      ['sum', 'after'],
    ])
    expect(found.repeated.map(({ key, status }) => [key, status])).toEqual([['pay', 'completed']])
    expect(found.copied).toEqual(['price'])
  })

  test('counts a read with a compensation as a repeated effect', () => {
    const read = { with: { method: 'GET', url: 'https://example.test/x' } }
    const reserving = pathway(
      [http('look', read), http('reserve', { ...read, compensate: 'free' }), http('free')],
      ['look > reserve'],
    )
    const run = new EngineHarness(reserving)
    run.start()
    run.complete('look', outputOf('look'))
    run.complete('reserve', outputOf('reserve'))
    const found = plan(run, reserving, { from: 'look' })
    expect(found.repeated.map(({ key }) => key)).toEqual(['reserve'])
  })

  test('continues with a replaced output', () => {
    const output = { status: 200, n: 42 }
    const found = plan(paid(), order, { from: 'pay', outputs: { price: output } })
    expect(found.problems).toEqual([])
    expect(found.reused.map(({ key, is_replaced }) => [key, is_replaced])).toEqual([['price', true]])
    expect(found.asked_again).toMatchObject([{ key: 'review', changed: ['nodes.price'] }])
    expect(goOn(order, found).end).toMatchObject({ outcome: 'completed', result: 42 })
  })

  test('does not compensate nodes that it reused', () => {
    const more = pathway([http('a', { compensate: 'undo' }), http('undo'), http('b')], ['a > b'])
    const run = new EngineHarness(more)
    run.start()
    run.complete('a')
    run.complete('b')
    const found = plan(run, more, { from: 'b' })
    const fork = new EngineHarness(more)
    fork.state = found.state
    fork.deliver({ type: 'continue', at: AT })
    fork.fail('b')
    expect(fork.end).toMatchObject({ outcome: 'failed', receipt: [] })
  })

  test('runs compensated nodes again', () => {
    const more = pathway([http('a', { compensate: 'undo' }), http('undo'), http('b')], ['a > b'])
    const run = new EngineHarness(more)
    run.start()
    run.complete('a')
    run.fail('b')
    run.undone('undo')
    const found = plan(run, more, {})
    expect(found.runs.map(({ key, reason }) => [key, reason])).toEqual([
      ['a', 'compensated'],
      ['b', 'after'],
    ])
    expect(messages(plan(run, more, { from: 'b' }))).toEqual([
      '/from_node: the reused nodes do not lead to b: fork from an earlier node',
    ])
  })

  test('inside a map reuses the other iterations, including later ones, and keeps the time limit', () => {
    const each = pathway(
      [map('each', body([http('a'), http('b')], ['a > b']), { items: [1, 2, 3], concurrency: 1, timeout: 'PT1H' })],
      [],
    )
    const run = new EngineHarness(each, null)
    run.start()
    for (const i of [0, 1, 2])
      for (const id of ['a', 'b']) run.complete(`each[${i}]/${id}`, outputOf(`each[${i}]/${id}`))
    const found = plan(run, each, { from: 'each[1]/b' })
    expect(found.problems).toEqual([])
    expect(found.state.ready).toEqual(['each[1]/b'])
    expect(found.deadlines).toMatchObject([{ key: 'each', type: 'deadline' }])
    expect(goOn(each, found).end).toEqual(run.end)
  })

  test('inside a loop starts at the given iteration', () => {
    const again = pathway([loop('again', 'iteration == 3', 5, body([http('draft')]))], [])
    const run = new EngineHarness(again)
    run.start()
    for (const i of [1, 2, 3]) run.complete(`again[${i}]/draft`, outputOf(`again[${i}]/draft`))
    const found = plan(run, again, { from: 'again[2]/draft' })
    expect(found.reused.map(({ key }) => key)).toEqual(['again[1]/draft'])
    expect(goOn(again, found).end).toEqual(run.end)
  })

  test('of a cancelled run continues with all nodes that did not complete', () => {
    const both = pathway([http('a'), http('b'), http('z')], ['a > z', 'b > z'])
    const run = new EngineHarness(both)
    run.start()
    run.complete('a')
    run.cancel()
    run.settle('b')
    const found = plan(run, both)
    expect(found.runs.map(({ key, reason }) => [key, reason])).toEqual([
      ['b', 'not_completed'],
      ['z', 'after'],
    ])
  })

  const REFUSED: [string, Partial<ForkRequest>, string[]][] = [
    ['an unknown node', { from: 'nothing' }, ['/from_node: must be the key of a node in the pathway, such as price']],
    ['a node that the run never reached', { from: 'pay' }, ['/from_node: the run never reached pay']],
    [
      'a node that is still running',
      { from: 'review' },
      ['/from_node: review is still running: cancel the run, or wait until it ends'],
    ],
    [
      'a replaced decision',
      { from: 'price', outputs: { review: { action: 'approve' } } },
      ['/outputs/review: must not be given: people decide in this node, so reopen the decision'],
    ],
    [
      'an output that does not match',
      { from: 'price', outputs: { price: 'x' } },
      ['/outputs/price: must be an object with the status, headers and body of the response'],
    ],
    [
      'an output of a node that runs',
      { from: 'price', outputs: { price: { status: 200 } } },
      ['/outputs/price: must be the output of a node that the fork reuses'],
    ],
    [
      'an output of an unknown node',
      { from: 'price', outputs: { x: 1 } },
      ['/outputs/x: must be the key of a node in the pathway'],
    ],
  ]
  test.each(REFUSED)('is rejected for %s', (_, request, problems) => {
    const run = played(started => started.complete('price', outputOf('price')))
    expect(messages(plan(run, order, request))).toEqual(problems)
  })

  test('requires a replacement for an output that was not stored', () => {
    const wait = pathway([node('wait', 'w', { event: 'paid' }), http('z')], ['w > z'])
    const run = new EngineHarness(wait)
    run.start()
    run.complete('w', { event: 'x'.repeat(3_000) })
    run.complete('z')
    expect(messages(plan(run, wait, { from: 'z' }))).toEqual([
      '/outputs/w: is required: the output of w was not stored',
    ])
    const outputs: Record<string, JsonValue> = { w: { event: 'y' } }
    expect(plan(run, wait, { from: 'z', outputs }).problems).toEqual([])
  })
})
