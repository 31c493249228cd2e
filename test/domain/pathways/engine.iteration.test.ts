import { body, http, loop, map, node, pathway, value } from '../support/builders.ts'
import { EngineHarness } from '../support/engine-harness.ts'

const LIST = { list: ['x', 'y', 'z'] }

describe('a map', () => {
  test('returns its results in item order and respects its concurrency limit', () => {
    const harness = new EngineHarness(pathway([map('each', body([http('f')]), { concurrency: 2 })], []), LIST)
    harness.start()
    expect(harness.keys).toEqual(['each[0]/f', 'each[1]/f'])
    harness.complete('each[1]/f', 'second')
    expect(harness.keys).toEqual(['each[0]/f', 'each[2]/f'])
    harness.complete('each[2]/f', 'third')
    harness.complete('each[0]/f', 'first')
    expect(harness.end?.result).toEqual(['first', 'second', 'third'])
  })

  test('continues along its error edge while the other iterations are being stopped', () => {
    const definition = pathway([map('each', body([http('f')])), http('fix')], ['each.error > fix'])
    const harness = new EngineHarness(definition, LIST)
    harness.start()
    harness.fail('each[1]/f')
    expect(harness.keys).toEqual(['each[0]/f', 'each[2]/f', 'fix'])
    expect(harness.statusOf('each')).toBe('failed')
    harness.complete('fix')
    expect(harness.end).toBeUndefined()
    harness.complete('each[0]/f')
    harness.settle('each[2]/f')
    expect(harness.end?.outcome).toBe('completed')
    expect(Object.keys(harness.state.frames)).toEqual([''])
  })

  test('starts no further items if the first one fails immediately', () => {
    const fragile = body([value('v', '${item.missing}'), http('f')], ['v > f'])
    const harness = new EngineHarness(
      pathway([map('each', fragile), value('fix', 'fixed')], ['each.error > fix']),
      LIST,
    )
    harness.start()
    expect(harness.commands.filter(({ type }) => type === 'run')).toEqual([])
    expect(harness.end?.result).toBe('fixed')
  })

  test('inside a map stops its iterations when the outer one fails', () => {
    const inner = map('inner', body([http('f')]), { timeout: 'P1D' })
    const outer = map('outer', body([inner, http('g'), value('z', 1)], ['inner > z', 'g > z']))
    const harness = new EngineHarness(pathway([outer, value('fix', 'fixed')], ['outer.error > fix']), { list: [1, 2] })
    harness.start()
    harness.fail('outer[0]/g')
    expect(harness.statusOf('outer[0]/inner')).toBe('cancelled')
    expect(harness.statusOf('outer[1]/inner')).toBe('cancelled')
    expect(harness.keys.every(key => harness.cancelled.has(key))).toBe(true)
    for (const key of harness.keys) harness.settle(key)
    expect(harness.end?.result).toBe('fixed')
    expect(harness.state.frames).toEqual({ '': expect.anything() })
  })
})

describe('a time limit', () => {
  const limited = map('each', body([http('f')]), { timeout: 'PT1H' })

  test('on a map stops its iterations and follows its own edge', () => {
    const harness = new EngineHarness(pathway([limited, value('late', 'too late')], ['each.timeout > late']), LIST)
    const { commands } = harness.start()
    expect(commands).toContainEqual(
      expect.objectContaining({ type: 'deadline', key: 'each', at: '2024-01-01T01:00:00.000Z' }),
    )
    const step = harness.fail('each', 'TIMEOUT', true)
    expect(step.commands.map(command => 'key' in command && command.key)).toEqual([
      'each[0]/f',
      'each[1]/f',
      'each[2]/f',
    ])
    for (const key of harness.keys) harness.settle(key)
    expect(harness.end?.result).toBe('too late')
  })

  test('ends with its map, and events that arrive later are ignored', () => {
    const harness = new EngineHarness(pathway([limited, http('next')], ['each > next']), { list: ['x'] })
    harness.start()
    harness.complete('each[0]/f')
    expect(harness.keys).toEqual(['next'])
    harness.fail('each', 'TIMEOUT', true)
    harness.settle('each')
    expect(harness.complete('next').commands).toMatchObject([{ type: 'finish', outcome: 'completed' }])
  })

  test('on a loop interrupts an iteration', () => {
    const revise = loop('revise', 'false', 5, body([http('f')]), { timeout: 'PT1H' })
    const harness = new EngineHarness(pathway([revise], []))
    harness.start()
    harness.complete('revise[1]/f')
    harness.fail('revise', 'TIMEOUT', true)
    harness.settle('revise[2]/f', 'in_doubt')
    expect(harness.end).toMatchObject({
      outcome: 'failed',
      error: { code: 'TIMEOUT' },
      receipt: [{ key: 'revise[2]/f', outcome: 'in_doubt' }],
    })
  })
})

describe('a loop', () => {
  test('fails when its body fails', () => {
    const harness = new EngineHarness(
      pathway([loop('l', 'false', 3, body([http('f')])), value('fix', '${nodes.l.error.message}')], ['l.error > fix']),
    )
    harness.start()
    harness.complete('l[1]/f')
    harness.fail('l[2]/f')
    expect(harness.end?.result).toBe('l[2]/f: no')
  })

  test('fails if its condition cannot be evaluated or is not a boolean', () => {
    for (const until of ['last.missing > 1', 'last.n']) {
      const harness = new EngineHarness(pathway([loop('l', until, 3, body([http('f')]))], []))
      harness.start()
      harness.complete('l[1]/f', { n: 'true' })
      expect(harness.end).toMatchObject({ outcome: 'failed', error: { code: 'EXPRESSION_FAILED' } })
    }
  })

  test('can read the nodes of the finished iteration', () => {
    const harness = new EngineHarness(pathway([loop('l', 'nodes.f.output.n >= iteration', 3, body([http('f')]))], []))
    harness.start()
    harness.complete('l[1]/f', { n: 0 })
    harness.complete('l[2]/f', { n: 2 })
    expect(harness.end?.result).toEqual({ n: 2 })
  })

  test('leaves no state behind after any iteration, even if every iteration fails', () => {
    const turn = body([map('each', body([http('f')])), value('fix', 'fixed')], ['each.error > fix'])
    const harness = new EngineHarness(pathway([loop('l', 'iteration >= 50', 50, turn)], []), LIST)
    harness.start()
    for (let i = 1; i <= 50; i++) {
      harness.fail(`l[${i}]/each[0]/f`)
      harness.settle(`l[${i}]/each[2]/f`)
      harness.settle(`l[${i}]/each[1]/f`)
    }
    expect(harness.end?.result).toBe('fixed')
    expect(Object.keys(harness.state.frames)).toEqual([''])
  })
})

describe('a switch', () => {
  test('fails if a condition does not evaluate to a boolean', () => {
    const which = node('switch', 'which', { cases: [{ port: 'x', when: 'input.flag' }] })
    const harness = new EngineHarness(pathway([which, value('z', 1)], ['which.x > z']), { flag: 'true' })
    harness.start()
    expect(harness.end).toMatchObject({
      outcome: 'failed',
      error: { message: 'which: input.flag: must evaluate to true or false, not to string' },
    })
  })
})
