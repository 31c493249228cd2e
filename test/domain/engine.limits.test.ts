import { MAX_ACTIVATIONS } from '../../domain/pathway/engine/next.ts'
import type { JsonValue } from '../../domain/json.ts'
import { body, http, loop, map, node, pathway, value } from './support/builders.ts'
import { World } from './support/world.ts'

const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i)

describe('long computing', () => {
  const busy = loop('busy', 'iteration >= 1000', 1_000, body([value('x', 1)]))

  test('takes breaths, and what happens meanwhile is taken in', () => {
    const world = new World(pathway([http('a'), busy, http('b'), value('z', 0)], ['a > b', 'busy > z', 'b > z']))
    const { commands } = world.start()
    expect(commands.map(({ type }) => type)).toEqual(['run', 'yield'])
    expect(world.state.ready).toHaveLength(1)
    expect(world.complete('a').commands.map(({ type }) => type)).toEqual(['run', 'yield'])
    while (world.yields > 0) world.deliver({ type: 'continue', at: '2024-01-01T00:00:00.000Z' })
    world.complete('b')
    expect(world.end?.outcome).toBe('completed')
  })

  test('is cut off by a cancel', () => {
    const world = new World(pathway([busy], []))
    world.start()
    expect(world.cancel().commands).toMatchObject([{ type: 'finish', outcome: 'cancelled' }])
    expect(world.deliver({ type: 'continue', at: '2024-01-01T00:00:00.000Z' }).commands).toEqual([])
  })

  test('ends the run when it begins too many nodes', () => {
    const world = new World(pathway([busy], []))
    world.state.activations = MAX_ACTIVATIONS - 10
    world.start()
    expect(world.end).toMatchObject({ outcome: 'failed', error: { code: 'TOO_MANY_STEPS' } })
  })

  test('takes breaths after costly expressions too', () => {
    const costly = numbers(10).map(i => value(`v${i}`, `\${size(input.list.map(x, input.list.map(y, x * y)))}`))
    const lines = numbers(9).map(i => `v${i} > v${i + 1}`)
    const world = new World(pathway(costly, lines), { list: numbers(300) })
    const { milestones } = world.start()
    expect(world.yields).toBe(1)
    expect(milestones.length).toBeLessThan(10)
    while (world.yields > 0) world.deliver({ type: 'continue', at: '2024-01-01T00:00:00.000Z' })
    expect(world.end).toMatchObject({ outcome: 'completed', result: 300 })
  })

  test('of one value has one budget, however many expressions it holds', () => {
    const costly = '${size(input.list.map(x, input.list.map(y, x * y)))}'
    const world = new World(
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
    world.start()
    expect(world.end).toMatchObject({ outcome: 'failed', error: { code: 'EXPRESSION_TOO_COSTLY' } })
  })
})

describe('news of nodes', () => {
  test('holds short values, and leaves long ones out', () => {
    const shown = (output: JsonValue): JsonValue | undefined =>
      new World(pathway([value('v', output)], [])).start().milestones.at(-1)?.output
    expect(shown({ a: [1, 'two', null, true] })).toEqual({ a: [1, 'two', null, true] })
    expect(shown('x'.repeat(1_990))).toHaveLength(1_990)
    expect(shown('x'.repeat(2_001))).toBeUndefined()
    expect(shown(numbers(2_000))).toBeUndefined()
    expect(shown(null)).toBeNull()
  })
})

describe('many nodes', () => {
  test('forty transforms in a row are one step', () => {
    const nodes = numbers(40).map(i => value(`n${i}`, i > 0 ? `\${nodes.n${i - 1}.output + 1}` : 1))
    const definition = pathway(
      nodes,
      numbers(39).map(i => `n${i} > n${i + 1}`),
    )
    const world = new World(definition)
    expect(world.start().commands).toMatchObject([{ type: 'finish' }])
    expect(world.end?.result).toBe(40)
  })

  test('ten thousand items, each answered by itself', () => {
    const each = map(
      'each',
      body([http('f', { compensate: 'u' }), node('http', 'u', { with: { url: 'http://x.test/${nodes.f.output.n}' } })]),
    )
    const list = numbers(10_000)
    const world = new World(pathway([each], []), { list })
    world.start()
    for (const i of list) world.complete(`each[${i}]/f`, { n: i })
    expect(world.end?.result).toHaveLength(10_000)
  })

  test('five hundred branches at once, into one join', () => {
    const branches = numbers(498).map(i => http(`b${i}`))
    const definition = pathway(
      [...branches, node('join', 'all', { mode: 'all' })],
      branches.map(({ id }) => `${id} > all`),
    )
    const world = new World(definition)
    world.start()
    for (const { id } of branches) world.complete(id)
    expect(world.end?.outcome).toBe('completed')
  })
})
