import { MAX_ACTIVATIONS } from '../../../domain/pathways/engine/next.ts'
import type { JsonValue } from '../../../domain/shared/json/json.ts'
import { body, http, loop, map, node, pathway, value } from '../support/builders.ts'
import { EngineHarness } from '../support/engine-harness.ts'

const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i)

describe('long computations', () => {
  const busy = loop('busy', 'iteration >= 1000', 1_000, body([value('x', 1)]))

  test('yield, so that events in between are processed', () => {
    const harness = new EngineHarness(
      pathway([http('a'), busy, http('b'), value('z', 0)], ['a > b', 'busy > z', 'b > z']),
    )
    const { commands } = harness.start()
    expect(commands.map(({ type }) => type)).toEqual(['run', 'yield'])
    expect(harness.state.ready).toHaveLength(1)
    expect(harness.complete('a').commands.map(({ type }) => type)).toEqual(['run', 'yield'])
    while (harness.yields > 0) harness.deliver({ type: 'continue', at: '2024-01-01T00:00:00.000Z' })
    harness.complete('b')
    expect(harness.end?.outcome).toBe('completed')
  })

  test('are interrupted by a cancel', () => {
    const harness = new EngineHarness(pathway([busy], []))
    harness.start()
    expect(harness.cancel().commands).toMatchObject([{ type: 'finish', outcome: 'cancelled' }])
    expect(harness.deliver({ type: 'continue', at: '2024-01-01T00:00:00.000Z' }).commands).toEqual([])
  })

  test('end the run when too many nodes are started', () => {
    const harness = new EngineHarness(pathway([busy], []))
    harness.state.activations = MAX_ACTIVATIONS - 10
    harness.start()
    expect(harness.end).toMatchObject({ outcome: 'failed', error: { code: 'TOO_MANY_STEPS' } })
  })

  test('also yield after expensive expressions', () => {
    const costly = numbers(10).map(i => value(`v${i}`, `\${size(input.list.map(x, input.list.map(y, x * y)))}`))
    const lines = numbers(9).map(i => `v${i} > v${i + 1}`)
    const harness = new EngineHarness(pathway(costly, lines), { list: numbers(300) })
    const { milestones } = harness.start()
    expect(harness.yields).toBe(1)
    expect(milestones.length).toBeLessThan(10)
    while (harness.yields > 0) harness.deliver({ type: 'continue', at: '2024-01-01T00:00:00.000Z' })
    expect(harness.end).toMatchObject({ outcome: 'completed', result: 300 })
  })

  test('share one budget across all expressions in a value', () => {
    const costly = '${size(input.list.map(x, input.list.map(y, x * y)))}'
    const harness = new EngineHarness(
      pathway(
        [
          value(
            'v',
            numbers(100).map(() => costly),
          ),
        ],
        [],
      ),
      { list: numbers(300) },
    )
    harness.start()
    expect(harness.end).toMatchObject({ outcome: 'failed', error: { code: 'EXPRESSION_TOO_COSTLY' } })
  })
})

describe('node milestones', () => {
  test('contain short values, and omit long ones', () => {
    const shown = (output: JsonValue): JsonValue | undefined =>
      new EngineHarness(pathway([value('v', output)], [])).start().milestones.at(-1)?.output
    expect(shown({ a: [1, 'two', null, true] })).toEqual({ a: [1, 'two', null, true] })
    expect(shown('x'.repeat(1_990))).toHaveLength(1_990)
    expect(shown('x'.repeat(2_001))).toBeUndefined()
    expect(shown(numbers(2_000))).toBeUndefined()
    expect(shown(null)).toBeNull()
  })
})

describe('many nodes', () => {
  test('forty transforms in a row take one step', () => {
    const nodes = numbers(40).map(i => value(`n${i}`, i > 0 ? `\${nodes.n${i - 1}.output + 1}` : 1))
    const definition = pathway(
      nodes,
      numbers(39).map(i => `n${i} > n${i + 1}`),
    )
    const harness = new EngineHarness(definition)
    expect(harness.start().commands).toMatchObject([{ type: 'finish' }])
    expect(harness.end?.result).toBe(40)
  })

  test('ten thousand items are each answered separately', () => {
    const each = map(
      'each',
      body([http('f', { compensate: 'u' }), node('http', 'u', { with: { url: 'http://x.test/${nodes.f.output.n}' } })]),
    )
    const list = numbers(10_000)
    const harness = new EngineHarness(pathway([each], []), { list })
    harness.start()
    for (const i of list) harness.complete(`each[${i}]/f`, { n: i })
    expect(harness.end?.result).toHaveLength(10_000)
  })

  test('five hundred parallel branches lead into one join', () => {
    const branches = numbers(498).map(i => http(`b${i}`))
    const definition = pathway(
      [...branches, node('join', 'all', { mode: 'all' })],
      branches.map(({ id }) => `${id} > all`),
    )
    const harness = new EngineHarness(definition)
    harness.start()
    for (const { id } of branches) harness.complete(id)
    expect(harness.end?.outcome).toBe('completed')
  })
})

describe('a long result', () => {
  const text = 'x'.repeat(1_500_000)

  test('fails the run with advice to select a part of it', () => {
    const harness = new EngineHarness(pathway([http('a'), http('b')], []))
    harness.start()
    harness.complete('a', text)
    harness.complete('b', text)
    expect(harness.end).toMatchObject({
      outcome: 'failed',
      error: { code: 'RESULT_TOO_LARGE', message: expect.stringContaining('an end node') },
    })
  })

  test('is allowed if an end node of the run selects a part of it', () => {
    const end = node('end', 'end', { output: '${size(nodes.a.output) + size(nodes.b.output)}' })
    const harness = new EngineHarness(pathway([http('a'), http('b'), end], ['a > b', 'b > end']))
    harness.start()
    harness.complete('a', text)
    harness.complete('b', text)
    expect(harness.end).toMatchObject({ outcome: 'completed', result: 3_000_000 })
  })
})
