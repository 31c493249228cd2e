import type { PathwayDefinition, PathwayNode } from '../../../domain/pathways/definition.ts'
import { planMigration } from '../../../domain/pathways/migration/plan-migration.ts'
import { body, http, human, loop, map, node, pathway, value } from '../support/builders.ts'
import { AT, EngineHarness } from '../support/engine-harness.ts'

const NODES = [
  http('price'),
  human('review', { title: 'Approve ${nodes.price.output.n}?', due: 'P2D' }),
  http('pay', { compensate: 'refund' }),
  http('refund'),
  value('rejected', 'no'),
]
const EDGES = ['price > review', 'review.approve > pay', 'review.reject > rejected', 'review.timeout > rejected']

const order = pathway(NODES, EDGES)

/** Returns the pathway with nodes replaced by id. */
const changed = (nodes: PathwayNode[], edges = EDGES): PathwayDefinition => {
  const others = new Map(nodes.map(one => [one.id, one]))
  const known = new Set(NODES.map(({ id }) => id))
  const kept = NODES.map(one => others.get(one.id) ?? one)
  return pathway([...kept, ...nodes.filter(({ id }) => !known.has(id))], edges)
}

function played(definition: PathwayDefinition, upTo: (run: EngineHarness) => void): EngineHarness {
  const run = new EngineHarness(definition, { list: [1, 2] })
  run.start()
  upTo(run)
  return run
}

function explain(run: EngineHarness, to: PathwayDefinition): string[] {
  const { problems } = planMigration(run.graph, new EngineHarness(to).graph, run.state, AT)
  return problems.map(({ pointer, message }) => `${pointer}: ${message}`)
}

/** Returns the message that a decision in the run does not apply to other nodes. */
const decidedAt = (key: string, begun?: string): string =>
  `: people decided at ${key} about other nodes than the new version has after it${begun === undefined ? '' : `, and the run has started ${begun}`}: fork the run at ${key} with the new version to ask them again`

const asked = played(order, run => run.complete('price', { n: 1 }))
const paid = played(order, run => {
  run.complete('price', { n: 1 })
  run.complete('review', {}, 'approve')
})

describe('a run that is waiting for a decision', () => {
  test.each<[string, PathwayDefinition]>([
    [
      'a different later node',
      changed([http('pay', { compensate: 'refund', with: { method: 'POST', url: 'https://b.test' } })]),
    ],
    [
      'a node between the decision and the next node',
      changed(
        [http('check')],
        [...EDGES.filter(edge => edge !== 'review.approve > pay'), 'review.approve > check', 'check > pay'],
      ),
    ],
    ['an error edge of a completed node', changed([value('alarm', 1)], [...EDGES, 'price.error > alarm'])],
    ['other attempts of a completed node', changed([http('price', { retry: { max_attempts: 2 } })])],
  ])('can move to %s', (_, to) => expect(explain(asked, to)).toEqual([]))

  test('cannot move to a version with a different question, and the plan points to the difference', () => {
    const to = changed([human('review', { title: 'Pay it?', due: 'P9D', quorum: 2 })])
    expect(explain(asked, to)).toEqual([
      '/nodes/1/title: must be the same as in the version that the run uses, because the node has an open task',
      '/nodes/1/due: must be the same as in the version that the run uses, because the node has an open task',
      '/nodes/1/quorum: must be the same as in the version that the run uses, because the node has an open task',
    ])
  })

  test('cannot move to a version that lacks the node, changes the order, or would have started more nodes', () => {
    expect(explain(asked, pathway([http('price')], []))).toEqual([
      '/nodes: must have review, because the node is active in the run',
    ])
    const before = changed([http('check')], [...EDGES.slice(1), 'price > check', 'check > review'])
    expect(explain(asked, before)).toEqual([
      '/nodes/1: must be reached only by the edges from price, because the node is active in the run',
      '/nodes/5: must follow a node that the run has not completed: it would already have started',
    ])
  })

  test('cannot move to a version in which a completed node is different', () => {
    const to = changed([http('price', { with: { method: 'GET', url: 'https://example.test/x' } })])
    expect(explain(asked, to)).toEqual([
      '/nodes/0/with: must be the same as in the version that the run uses, because the run has completed the node',
    ])
  })

  test('keeps the compensation of completed nodes', () => {
    const other = http('refund', { with: { method: 'DELETE', url: 'https://b.test' } })
    expect(explain(paid, changed([other]))).toEqual([decidedAt('review', 'pay')])
    const more = [...EDGES, 'pay > sent', 'sent.approve > rejected', 'sent.reject > rejected']
    const run = played(changed([human('sent')], more), one => {
      one.complete('price', { n: 1 })
      one.complete('review', {}, 'approve')
      one.complete('pay')
    })
    expect(explain(run, changed([human('sent'), other], more))).toEqual([
      '/nodes/3/with: must be the same as in the version that the run uses, because it compensates pay, which the run has completed',
    ])
  })

  test('shows a dead error edge as skipped', () => {
    const to = changed([value('alarm', 1)], [...EDGES, 'price.error > alarm'])
    const { milestones } = planMigration(asked.graph, new EngineHarness(to).graph, asked.state, AT)
    expect(milestones).toMatchObject([{ key: 'alarm', status: 'skipped', at: AT }])
  })

  test('does not reach skipped nodes again', () => {
    const to = changed([], [...EDGES, 'pay > rejected'])
    expect(explain(paid, to)).toEqual(['/nodes/4: must stay unreachable: the run has skipped it'])
  })
})

describe('a run with a decision', () => {
  const PAY = { compensate: 'refund' }
  const hold = node('wait', 'hold', { event: 'go' })
  const note = value('note', '${nodes.review.output}')
  const later = human('later')
  const waiting = [
    ...EDGES.filter(edge => edge !== 'review.approve > pay'),
    'review.approve > note',
    'note > hold',
    'hold > later',
    'later.approve > pay',
    'later.reject > rejected',
  ]
  const version = (more: object = {}, ...nodes: PathwayNode[]) =>
    changed([hold, note, later, http('pay', { ...PAY, ...more }), ...nodes], waiting)
  const other = version({ with: { method: 'POST', url: 'https://b.test' } })
  const decided = (...more: ((run: EngineHarness) => void)[]) =>
    played(version(), run => {
      run.complete('price', { n: 1 })
      run.complete('review', {}, 'approve')
      for (const step of more) step(run)
    })
  const plan = (run: EngineHarness, to: PathwayDefinition, answered: string[] = []) =>
    planMigration(run.graph, new EngineHarness(to).graph, run.state, AT, new Set(answered))
  const goOn = (to: PathwayDefinition, { state }: ReturnType<typeof plan>) => {
    const moved = new EngineHarness(to)
    moved.state = JSON.parse(JSON.stringify(state)) as typeof state
    moved.deliver({ type: 'continue', at: AT })
    return moved
  }
  const asksReview = [{ key: 'review', node_id: 'review', node_type: 'human', changed: ['definition'] }]

  test.each<[string, ((run: EngineHarness) => void)[]]>([
    ['waits', []],
    ['waits for a later decision', [run => run.complete('hold')]],
  ])('asks again if different nodes follow the decision and the run %s', (_, steps) => {
    const run = decided(...steps)
    const found = plan(run, other)
    expect(found).toMatchObject({ problems: [], asked_again: asksReview })
    expect(found.dropped).toEqual(expect.arrayContaining(['review', 'note', 'hold']))
    const moved = goOn(other, found)
    expect(moved.keys).toEqual(['review'])
    expect(moved.state.frames['']?.open).toBe(1)
    moved.complete('review', {}, 'approve')
    moved.complete('hold')
    moved.complete('later', {}, 'approve')
    expect([...moved.open.values()]).toMatchObject([{ key: 'pay', with: { url: 'https://b.test' } }])
  })

  test('moves to a version with a different question, or one without the nodes started after the decision', () => {
    const without = changed([human('review', { title: 'Sure?', due: 'P2D' })])
    expect(plan(decided(), without)).toMatchObject({ problems: [], asked_again: asksReview })
    const moved = goOn(without, plan(decided(), without))
    expect([...moved.open.values()]).toMatchObject([{ key: 'review', request: { title: 'Sure?' } }])
    moved.complete('review', {}, 'approve')
    expect(moved.keys).toEqual(['pay'])
  })

  test('keeps the decision if the same nodes follow it', () => {
    expect(plan(decided(), version({}, value('other', 1)))).toMatchObject({ problems: [{ node_key: 'other' }] })
    const titled = changed(
      [hold, note, later, http('pay', PAY), http('price', { retry: { max_attempts: 2 } })],
      waiting,
    )
    expect(plan(decided(), titled)).toMatchObject({ problems: [], asked_again: [], dropped: [] })
  })

  test('cannot move once an effect after the decision has started', () => {
    const sent = changed(
      [http('hold')],
      [...EDGES.slice(0, 1), ...EDGES.slice(2), 'review.approve > hold', 'hold > pay'],
    )
    const to = changed(
      [http('hold'), http('pay', { ...PAY, with: { method: 'POST', url: 'https://b.test' } })],
      [...EDGES.slice(0, 1), ...EDGES.slice(2), 'review.approve > hold', 'hold > pay'],
    )
    const run = played(sent, one => {
      one.complete('price', { n: 1 })
      one.complete('review', {}, 'approve')
    })
    expect(explain(run, to)).toEqual([decidedAt('review', 'hold')])
  })

  test('cannot move to a version without the decision', () => {
    expect(explain(decided(), changed([value('review', 1)], ['price > review', 'review > pay']))).not.toEqual([])
  })

  test('asks again if someone has voted, or if an answer is pending because the run is paused', () => {
    const to = changed([http('pay', { ...PAY, with: { method: 'POST', url: 'https://b.test' } })])
    expect(plan(asked, to)).toMatchObject({ problems: [], asked_again: [], dropped: [] })
    const found = plan(asked, to, ['review'])
    expect(found).toMatchObject({ problems: [], asked_again: asksReview, dropped: ['review'] })
    expect(found.state.active).toEqual({})
    expect(goOn(to, found).keys).toEqual(['review'])
  })

  test('cannot move while a child run that contains decisions before changed nodes is open', () => {
    const approval = pathway([human('ok'), value('yes', 1)], ['ok.approve > yes', 'ok.reject > yes'])
    const pins = { subflows: { approval: { id: 'a', slug: 'approval', version: 1, title: 'A', definition: approval } } }
    const calling = (url: string) =>
      pathway(
        [node('pathway', 'ask', { ref: 'approval' }), http('pay', { with: { method: 'POST', url } })],
        ['ask > pay'],
      )
    const run = new EngineHarness(calling('https://a.test'), null, pins)
    run.start()
    const to = new EngineHarness(calling('https://b.test'), null, pins).graph
    expect(planMigration(run.graph, to, run.state, AT).problems).toEqual([])
    const { problems } = planMigration(run.graph, to, run.state, AT, new Set(['ask']))
    expect(problems).toMatchObject([{ node_key: 'ask', message: expect.stringContaining('wait until it has ended') }])
  })

  test('asks again for each item of a map, and the other items continue', () => {
    const each = (url: string) =>
      pathway(
        [
          map(
            'each',
            body(
              [human('ok'), hold, http('send', { with: { method: 'POST', url } }), value('no', 1)],
              ['ok.approve > hold', 'hold > send', 'ok.reject > no'],
            ),
          ),
        ],
        [],
      )
    const run = played(each('https://a.test'), one => one.complete('each[1]/ok', {}, 'approve'))
    const found = plan(run, each('https://b.test'))
    expect(found).toMatchObject({ problems: [], asked_again: [{ key: 'each[1]/ok' }] })
    expect(found.state.active).toEqual({ 'each[0]/ok': true })
    expect(goOn(each('https://b.test'), found).keys).toEqual(['each[1]/ok'])
  })
})

describe('a run in a loop', () => {
  const INNER = [http('draft'), human('ok'), value('done', 1)]
  const revise = (max: number, inner = INNER) => {
    const graph = body(inner, ['draft > ok', 'ok.approve > done', 'ok.reject > done'])
    return pathway([loop('revise', 'iteration >= 3', max, graph)], [])
  }

  test('allows a later body node to change in the first iteration, but not in the second', () => {
    const first = played(revise(5), run => run.complete('revise[1]/draft'))
    const second = played(revise(5), run => {
      run.complete('revise[1]/draft')
      run.complete('revise[1]/ok', {}, 'approve')
      run.complete('revise[2]/draft')
    })
    const to = revise(5, [http('draft'), human('ok'), value('done', 2)])
    expect(explain(first, to)).toEqual([])
    expect(explain(second, to)).toEqual([
      '/nodes/0/body: must be the same as in the version that the run uses, because the node is active in the run',
    ])
    expect(explain(second, revise(2))).toEqual([decidedAt('revise')])
    expect(explain(second, revise(1))).toEqual([
      '/nodes/0/max: must be the same as in the version that the run uses, because the node is active in the run',
    ])
  })

  test('reports a problem inside the body', () => {
    const run = played(revise(5), one => one.complete('revise[1]/draft'))
    expect(explain(run, revise(5, [http('draft'), human('ok', { title: 'Good?' }), value('done', 1)]))).toEqual([
      '/nodes/0/body/nodes/1/title: must be the same as in the version that the run uses, because the node has an open task',
    ])
  })
})

test('a run in a map moves with all its iterations, or not at all', () => {
  const each = (url: string) =>
    pathway(
      [
        map(
          'each',
          body(
            [human('ok'), http('send', { with: { method: 'POST', url } }), value('no', 1)],
            ['ok.approve > send', 'ok.reject > no'],
          ),
        ),
      ],
      [],
    )
  const open = played(each('https://a.test'), () => undefined)
  const ended = played(each('https://a.test'), run => {
    run.complete('each[0]/ok', {}, 'approve')
    run.complete('each[0]/send')
  })
  expect(explain(open, each('https://b.test'))).toEqual([])
  expect(explain(ended, each('https://b.test'))).toEqual([
    '/nodes/0/body: must be the same as in the version that the run uses, because the node is active in the run',
  ])
})

test('a run that is ending cannot move', () => {
  const run = played(order, one => {
    one.complete('price', { n: 1 })
    one.cancel()
  })
  expect(explain(run, order)).toEqual([': the run is ending'])
})
