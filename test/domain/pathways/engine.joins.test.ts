import { body, http, map, node, pathway, value } from '../support/builders.ts'
import { EngineHarness } from '../support/engine-harness.ts'

describe('a join of type all', () => {
  test('lists the arrived nodes in definition order', () => {
    const definition = pathway([http('a'), http('b'), node('join', 'both', { mode: 'all' })], ['b > both', 'a > both'])
    for (const order of [
      ['a', 'b'],
      ['b', 'a'],
    ]) {
      const harness = new EngineHarness(definition)
      harness.start()
      for (const key of order) harness.complete(key)
      expect(harness.end?.result).toEqual({ arrived: ['a', 'b'] })
    }
  })
})

describe('a race', () => {
  const any = node('join', 'won', { mode: 'any' })

  test('ends when the losers have ended, and a loser that completed first stays completed', () => {
    const harness = new EngineHarness(
      pathway(
        [http('a'), http('b'), any, value('z', 'after ${nodes.won.output.arrived[0]}')],
        ['a > won', 'b > won', 'won > z'],
      ),
    )
    harness.start()
    harness.complete('b')
    expect(harness.statusOf('z')).toBe('completed')
    expect(harness.end).toBeUndefined()
    harness.settle('a', 'finished_first', { late: true })
    expect(harness.end).toMatchObject({ outcome: 'completed', result: 'after b' })
    expect(harness.statusOf('a')).toBe('completed')
  })

  test('that a map loses stops all of its iterations, and marks the map as cancelled', () => {
    const each = map('each', body([http('f')]), { timeout: 'P1D' })
    const harness = new EngineHarness(pathway([each, http('b'), any], ['each > won', 'b > won']), { list: [1, 2, 3] })
    harness.start()
    harness.complete('each[0]/f')
    harness.complete('b')
    expect(harness.statusOf('each')).toBe('cancelled')
    expect([...harness.cancelled]).toEqual(['each[1]/f', 'each[2]/f'])
    harness.settle('each[2]/f')
    harness.settle('each[1]/f')
    expect(harness.end).toMatchObject({ outcome: 'completed', result: { arrived: ['b'] } })
    expect(Object.keys(harness.state.frames)).toEqual([''])
  })

  test('inside an iteration lets the iteration continue, and its frame is kept until the loser has ended', () => {
    const race = body(
      [http('a'), http('b', { compensate: 'undo' }), http('undo', { with: { url: 'http://x.test/${index}' } }), any],
      ['a > won', 'b > won'],
    )
    const harness = new EngineHarness(pathway([map('each', race, { concurrency: 1 }), http('next')], ['each > next']), {
      list: ['x', 'y'],
    })
    harness.start()
    harness.complete('each[0]/a')
    expect(harness.keys).toEqual(['each[0]/b', 'each[1]/a', 'each[1]/b'])
    harness.complete('each[1]/a')
    expect(harness.keys).toContain('next')
    harness.settle('each[1]/b', 'finished_first')
    expect(Object.keys(harness.state.frames)).toEqual(['', 'each[0]'])
    harness.settle('each[0]/b')
    expect(Object.keys(harness.state.frames)).toEqual([''])
    harness.fail('next')
    expect(harness.undoing).toMatchObject([{ key: 'each[1]/undo', with: { url: 'http://x.test/1' } }])
  })

  test('never starts the remaining nodes of a losing branch', () => {
    const definition = pathway([http('a'), http('b'), http('b2'), any], ['a > won', 'b > b2', 'b2 > won'])
    const harness = new EngineHarness(definition)
    harness.start()
    harness.complete('a')
    expect(harness.statusOf('b2')).toBe('skipped')
    harness.complete('b')
    expect(harness.commands.some(command => command.type === 'run' && command.key === 'b2')).toBe(false)
    expect(harness.end?.outcome).toBe('completed')
  })
})

describe('a join that too few branches can reach', () => {
  const which = node('switch', 'which', { cases: [{ port: 'x', when: 'true' }] })
  const two = node('join', 'two', { mode: 'n', n: 2 })
  const narrow = body(
    [which, value('a', 1), value('b', 2), two, value('c', 3)],
    ['which.x > a', 'which > b', 'a > two', 'b > two', 'b > c'],
  )

  test('fails its map, and an error edge handles the failure', () => {
    const definition = pathway([map('each', narrow), value('fix', '${nodes.each.error.code}')], ['each.error > fix'])
    const harness = new EngineHarness(definition, { list: [1, 2] })
    harness.start()
    expect(harness.end).toMatchObject({ outcome: 'completed', result: 'JOIN_UNREACHABLE' })
  })

  test('fails the run if there is no error edge, and stops parallel work', () => {
    const harness = new EngineHarness(
      pathway([map('each', narrow), http('beside'), value('z', 0)], ['each > z', 'beside > z']),
      {
        list: [1, 2],
      },
    )
    harness.start()
    expect([...harness.cancelled]).toEqual(['beside'])
    harness.settle('beside')
    expect(harness.end).toMatchObject({
      outcome: 'failed',
      error: {
        code: 'JOIN_UNREACHABLE',
        message: 'each[0]/two: only 1 of the 2 required branches arrived',
        node_key: 'each[0]/two',
      },
    })
  })
})
