import { body, http, loop, map, node, pathway, value } from './support/builders.ts'
import { World } from './support/world.ts'

const LIST = { list: ['x', 'y', 'z'] }

describe('a map', () => {
  test('gives its results in item order, however they come in, and keeps to its concurrency', () => {
    const world = new World(pathway([map('each', body([http('f')]), { concurrency: 2 })], []), LIST)
    world.start()
    expect(world.keys).toEqual(['each[0]/f', 'each[1]/f'])
    world.complete('each[1]/f', 'second')
    expect(world.keys).toEqual(['each[0]/f', 'each[2]/f'])
    world.complete('each[2]/f', 'third')
    world.complete('each[0]/f', 'first')
    expect(world.end?.result).toEqual(['first', 'second', 'third'])
  })

  test('goes on from its error edge while the other turns are still being stopped', () => {
    const definition = pathway([map('each', body([http('f')])), http('fix')], ['each.error > fix'])
    const world = new World(definition, LIST)
    world.start()
    world.fail('each[1]/f')
    expect(world.keys).toEqual(['each[0]/f', 'each[2]/f', 'fix'])
    expect(world.statusOf('each')).toBe('failed')
    world.complete('fix')
    expect(world.end).toBeUndefined()
    world.complete('each[0]/f')
    world.settle('each[2]/f')
    expect(world.end?.outcome).toBe('completed')
    expect(Object.keys(world.state.frames)).toEqual([''])
  })

  test('whose first item fails at once begins none of the others', () => {
    const fragile = body([value('v', '${item.missing}'), http('f')], ['v > f'])
    const world = new World(pathway([map('each', fragile), value('fix', 'fixed')], ['each.error > fix']), LIST)
    world.start()
    expect(world.commands.filter(({ type }) => type === 'run')).toEqual([])
    expect(world.end?.result).toBe('fixed')
  })

  test('inside a map is one with it: the inner turns stop when an outer one fails', () => {
    const inner = map('inner', body([http('f')]), { timeout: 'P1D' })
    const outer = map('outer', body([inner, http('g'), value('z', 1)], ['inner > z', 'g > z']))
    const world = new World(pathway([outer, value('fix', 'fixed')], ['outer.error > fix']), { list: [1, 2] })
    world.start()
    world.fail('outer[0]/g')
    expect(world.statusOf('outer[0]/inner')).toBe('cancelled')
    expect(world.statusOf('outer[1]/inner')).toBe('cancelled')
    expect(world.keys.every(key => world.cancelled.has(key))).toBe(true)
    for (const key of world.keys) world.settle(key)
    expect(world.end?.result).toBe('fixed')
    expect(world.state.frames).toEqual({ '': expect.anything() })
  })
})

describe('a time limit', () => {
  const limited = map('each', body([http('f')]), { timeout: 'PT1H' })

  test('of a map stops its turns and goes its own way', () => {
    const world = new World(pathway([limited, value('late', 'too late')], ['each.timeout > late']), LIST)
    const { commands } = world.start()
    expect(commands).toContainEqual(
      expect.objectContaining({ type: 'deadline', key: 'each', at: '2024-01-01T01:00:00.000Z' }),
    )
    const step = world.fail('each', 'TIMEOUT', true)
    expect(step.commands.map(command => 'key' in command && command.key)).toEqual([
      'each[0]/f',
      'each[1]/f',
      'each[2]/f',
    ])
    for (const key of world.keys) world.settle(key)
    expect(world.end?.result).toBe('too late')
  })

  test('goes with the map that keeps to it, and news of it later means nothing', () => {
    const world = new World(pathway([limited, http('next')], ['each > next']), { list: ['x'] })
    world.start()
    world.complete('each[0]/f')
    expect(world.keys).toEqual(['next'])
    world.fail('each', 'TIMEOUT', true)
    world.settle('each')
    expect(world.complete('next').commands).toMatchObject([{ type: 'finish', outcome: 'completed' }])
  })

  test('of a loop cuts a turn short', () => {
    const revise = loop('revise', 'false', 5, body([http('f')]), { timeout: 'PT1H' })
    const world = new World(pathway([revise], []))
    world.start()
    world.complete('revise[1]/f')
    world.fail('revise', 'TIMEOUT', true)
    world.settle('revise[2]/f', 'in_doubt')
    expect(world.end).toMatchObject({
      outcome: 'failed',
      error: { code: 'TIMEOUT' },
      receipt: [{ key: 'revise[2]/f', outcome: 'in_doubt' }],
    })
  })
})

describe('a loop', () => {
  test('whose body fails fails with it', () => {
    const world = new World(
      pathway([loop('l', 'false', 3, body([http('f')])), value('fix', '${nodes.l.error.message}')], ['l.error > fix']),
    )
    world.start()
    world.complete('l[1]/f')
    world.fail('l[2]/f')
    expect(world.end?.result).toBe('l[2]/f: no')
  })

  test('whose condition can not be evaluated, or is neither true nor false, fails', () => {
    for (const until of ['last.missing > 1', 'last.n']) {
      const world = new World(pathway([loop('l', until, 3, body([http('f')]))], []))
      world.start()
      world.complete('l[1]/f', { n: 'true' })
      expect(world.end).toMatchObject({ outcome: 'failed', error: { code: 'EXPRESSION_FAILED' } })
    }
  })

  test('reads the nodes of the turn that has ended', () => {
    const world = new World(pathway([loop('l', 'nodes.f.output.n >= iteration', 3, body([http('f')]))], []))
    world.start()
    world.complete('l[1]/f', { n: 0 })
    world.complete('l[2]/f', { n: 2 })
    expect(world.end?.result).toEqual({ n: 2 })
  })

  test('leaves nothing behind, turn after turn, even when each one fails inside', () => {
    const turn = body([map('each', body([http('f')])), value('fix', 'fixed')], ['each.error > fix'])
    const world = new World(pathway([loop('l', 'iteration >= 50', 50, turn)], []), LIST)
    world.start()
    for (let i = 1; i <= 50; i++) {
      world.fail(`l[${i}]/each[0]/f`)
      world.settle(`l[${i}]/each[2]/f`)
      world.settle(`l[${i}]/each[1]/f`)
    }
    expect(world.end?.result).toBe('fixed')
    expect(Object.keys(world.state.frames)).toEqual([''])
  })
})

describe('a switch', () => {
  test('fails on a condition that is neither true nor false', () => {
    const which = node('switch', 'which', { cases: [{ port: 'x', when: 'input.flag' }] })
    const world = new World(pathway([which, value('z', 1)], ['which.x > z']), { flag: 'true' })
    world.start()
    expect(world.end).toMatchObject({
      outcome: 'failed',
      error: { message: 'which: input.flag: must evaluate to true or false, not to string' },
    })
  })
})
