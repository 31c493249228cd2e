import type { JsonValue } from '../../domain/json.ts'
import type { PathwayDefinition, PathwayNode } from '../../domain/pathway/definition.ts'
import { dryRun } from '../../domain/pathway/dry-run.ts'
import { validateDefinition } from '../../domain/pathway/validate.ts'

const human = (id: string, more: object = {}): PathwayNode =>
  ({ id, type: 'human', kind: 'approval', ...more }) as PathwayNode
const http = (id: string, more: object = {}): PathwayNode =>
  ({ id, type: 'http', with: { method: 'POST', url: 'https://example.test/x' }, ...more }) as PathwayNode
const value = (id: string, result: JsonValue): PathwayNode => ({ id, type: 'transform', with: { value: result } })

function pathway(nodes: PathwayNode[], edges: string[]): PathwayDefinition {
  const parsed = edges.map(text => {
    const [, from = '', on, to = ''] = /^([^. ]+)(?:\.(\S+))? > (\S+)$/.exec(text) ?? []
    return { from, ...(on && { on }), to }
  })
  const definition = { schema: 'pathway/1', nodes, edges: parsed } as PathwayDefinition
  const checked = validateDefinition(definition)
  if (!checked.ok) throw new Error(JSON.stringify(checked.problems))
  return definition
}

describe('a chain of transforms', () => {
  test('passes values on with their types', () => {
    const definition = pathway(
      [
        value('a', { n: '${input.n + 1}' }),
        value('b', 'n is ${nodes.a.output.n}'),
        { id: 'z', type: 'end', output: { a: '${nodes.a.output.n}', b: '${nodes.b.output}' } },
      ],
      ['a > b', 'b > z'],
    )
    expect(dryRun(definition, { input: { n: 1 } })).toMatchObject({
      status: 'completed',
      result: { a: 2, b: 'n is 2' },
    })
  })
})

describe('a switch', () => {
  const definition = pathway(
    [
      { id: 'big', type: 'switch', cases: [{ port: 'large', when: 'input.total > 1000' }], default: 'small' },
      value('l', 'large'),
      value('s', 'small'),
      value('both', 'merged ${has(nodes.l) ? "l" : "s"}'),
    ],
    ['big.large > l', 'big.small > s', 'l > both', 's > both'],
  )
  test.each([
    [5000, 'merged l'],
    [10, 'merged s'],
  ])('with %d takes one way, and the merge runs once', (total, result) => {
    const report = dryRun(definition, { input: { total } })
    expect(report.result).toBe(result)
    expect(report.steps.filter(step => step.status === 'skipped')).toHaveLength(1)
  })
})

describe('people', () => {
  const definition = pathway(
    [
      human('review', { title: 'Pay ${input.total}?', due: 'P2D' }),
      http('pay'),
      value('no', 'rejected'),
      value('late', 'late'),
    ],
    ['review.approve > pay', 'review.reject > no', 'review.timeout > late'],
  )
  test('stops at the question and shows what would be asked', () => {
    const report = dryRun(definition, { input: { total: 7 } })
    expect(report).toMatchObject({ status: 'waiting', needs: [{ key: 'review', type: 'human' }] })
    expect(report.steps[0]?.with).toMatchObject({ title: 'Pay 7?', due_at: '2000-01-03T00:00:00.000Z' })
  })
  test('a rejection and a timeout go their own ways', () => {
    expect(dryRun(definition, { input: { total: 7 }, outputs: { review: { action: 'reject' } } }).result).toBe(
      'rejected',
    )
    expect(dryRun(definition, { input: { total: 7 }, outputs: { review: { $timeout: true } } }).result).toBe('late')
  })
})

describe('errors', () => {
  test('an error edge takes the error on', () => {
    const definition = pathway([http('call'), value('fix', '${nodes.call.error.code}')], ['call.error > fix'])
    expect(dryRun(definition, { outputs: { call: { $error: { code: 'HTTP_500', message: 'x' } } } }).result).toBe(
      'HTTP_500',
    )
  })
  test('without one the run fails, and what was done is undone, last first', () => {
    const definition = pathway(
      [
        http('one', { compensate: 'undo1' }),
        http('two', { compensate: 'undo2' }),
        http('three'),
        http('undo1', { with: { url: 'https://example.test/undo/${nodes.one.output.id}' } }),
        http('undo2'),
      ],
      ['one > two', 'two > three'],
    )
    const report = dryRun(definition, {
      outputs: { one: { id: 7 }, two: {}, three: { $error: { code: 'BAD', message: 'no' } } },
    })
    expect(report).toMatchObject({ status: 'failed', error: { code: 'BAD', message: 'three: no' } })
    expect(report.steps.filter(step => step.status === 'compensated').map(step => step.key)).toEqual(['one', 'two'])
  })
  test('a time limit without a timeout edge is an error', () => {
    const definition = pathway([http('call'), value('fix', 'fixed')], ['call.error > fix'])
    expect(dryRun(definition, { outputs: { call: { $timeout: true } } }).result).toBe('fixed')
  })
})

describe('map', () => {
  const body = {
    nodes: [
      http('fetch', { with: { url: 'https://example.test/${item}' } }),
      { id: 'out', type: 'end', output: '${nodes.fetch.output.body} ${index}' },
    ],
    edges: [{ from: 'fetch', to: 'out' }],
  }
  test('gives its outputs in item order', () => {
    const definition = pathway(
      [{ id: 'each', type: 'map', items: '${input.list}', concurrency: 2, body } as PathwayNode],
      [],
    )
    const outputs = { 'each[0]/fetch': { body: 'a' }, 'each[1]/fetch': { body: 'b' }, 'each[2]/fetch': { body: 'c' } }
    expect(dryRun(definition, { input: { list: [1, 2, 3] }, outputs }).result).toEqual(['a 0', 'b 1', 'c 2'])
    expect(dryRun(definition, { input: { list: [] } }).result).toEqual([])
    expect(dryRun(definition, { input: { list: 3 } })).toMatchObject({
      status: 'failed',
      error: { code: 'NOT_A_LIST' },
    })
  })
  test('fails as one node when an item fails', () => {
    const definition = pathway(
      [
        { id: 'each', type: 'map', items: '${input.list}', body } as PathwayNode,
        value('fix', '${nodes.each.error.message}'),
      ],
      ['each.error > fix'],
    )
    const outputs = { 'each[0]/fetch': { body: 'a' }, 'each[1]/fetch': { $error: { code: 'X', message: 'gone' } } }
    expect(dryRun(definition, { input: { list: [1, 2, 3] }, outputs }).result).toBe('fetch: gone')
  })
})

describe('loop', () => {
  const revise = (max: number): PathwayNode =>
    ({
      id: 'revise',
      type: 'loop',
      until: 'last.action == "approve"',
      max,
      body: {
        nodes: [
          value('draft', 'draft ${iteration}'),
          human('ok'),
          { id: 'yes', type: 'end', output: { action: 'approve', text: '${nodes.draft.output}' } },
          { id: 'no', type: 'end', output: { action: 'reject' } },
        ],
        edges: [
          { from: 'draft', to: 'ok' },
          { from: 'ok', on: 'approve', to: 'yes' },
          { from: 'ok', on: 'reject', to: 'no' },
        ],
      },
    }) as PathwayNode
  test('revises until approved', () => {
    const outputs = { 'revise[1]/ok': { action: 'reject' }, 'revise[2]/ok': { action: 'approve' } }
    expect(dryRun(pathway([revise(5)], []), { outputs }).result).toEqual({ action: 'approve', text: 'draft 2' })
  })
  test('leaves by exhausted, or fails without such an edge', () => {
    const outputs = { ok: { action: 'reject' } }
    expect(dryRun(pathway([revise(2)], []), { outputs })).toMatchObject({
      status: 'failed',
      error: { code: 'EXHAUSTED' },
    })
    expect(
      dryRun(pathway([revise(2), value('gave_up', 'gave up')], ['revise.exhausted > gave_up']), { outputs }).result,
    ).toBe('gave up')
  })
  test('turns of pure nodes never run away', () => {
    const inner = {
      id: 'inner',
      type: 'loop',
      until: 'iteration >= 1000',
      max: 1000,
      body: { nodes: [value('x', 1)], edges: [] },
    }
    const outer = {
      id: 'outer',
      type: 'loop',
      until: 'false',
      max: 1000,
      body: { nodes: [inner], edges: [] },
    } as unknown as PathwayNode
    const report = dryRun(pathway([outer], []), {})
    expect(report).toMatchObject({ status: 'failed', error: { code: 'TOO_MANY_STEPS' } })
  })
})

describe('joins', () => {
  const race = (mode: object) =>
    pathway(
      [http('a'), http('b'), http('c'), { id: 'won', type: 'join', ...mode } as PathwayNode],
      ['a > won', 'b > won', 'c > won'],
    )
  test('any goes on with the first and stops the others', () => {
    const report = dryRun(race({ mode: 'any' }), { outputs: { b: { ok: true } } })
    expect(report).toMatchObject({ status: 'completed', result: { arrived: ['b'] } })
    expect(report.steps.filter(step => step.status === 'cancelled').map(step => step.key)).toEqual(['a', 'c'])
  })
  test('n of m waits for n', () => {
    expect(dryRun(race({ mode: 'n', n: 2 }), { outputs: { b: {} } }).status).toBe('waiting')
    expect(dryRun(race({ mode: 'n', n: 2 }), { outputs: { b: {}, c: {} } }).result).toEqual({ arrived: ['b', 'c'] })
  })
  test('n of m fails when too few can arrive', () => {
    const definition = pathway(
      [
        { id: 'which', type: 'switch', cases: [{ port: 'x', when: 'true' }] },
        value('a', 1),
        value('b', 2),
        { id: 'two', type: 'join', mode: 'n', n: 2 },
      ],
      ['which.x > a', 'which > b', 'a > two', 'b > two'],
    )
    expect(dryRun(definition, {})).toMatchObject({ status: 'failed', error: { code: 'JOIN_UNREACHABLE' } })
  })
  test('all waits for every live branch, dead ones aside', () => {
    const definition = pathway(
      [
        { id: 'which', type: 'switch', cases: [{ port: 'x', when: 'true' }] },
        value('a', 1),
        value('b', 2),
        value('c', 3),
        { id: 'every', type: 'join', mode: 'all' },
      ],
      ['which.x > a', 'which > b', 'which.x > c', 'a > every', 'b > every', 'c > every'],
    )
    expect(dryRun(definition, {}).result).toEqual({ arrived: ['a', 'c'] })
  })
})
