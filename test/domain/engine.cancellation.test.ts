import { measureProgress } from '../../domain/pathway/engine/next.ts'
import { body, http, human, map, node, pathway, value } from './support/builders.ts'
import { World } from './support/world.ts'

const undo = (id: string, url = 'http://undo.test') => http(id, { with: { method: 'POST', url } })

describe('cancel', () => {
  const definition = pathway(
    [
      http('one', { compensate: 'undo1' }),
      http('two', { compensate: 'undo2' }),
      human('ask'),
      http('read', { with: { url: 'http://x.test' } }),
      http('pay'),
      undo('undo1', 'http://undo.test/${nodes.one.output.id}'),
      undo('undo2'),
      value('z', 0),
    ],
    ['one > two', 'two > ask', 'two > read', 'two > pay', 'ask.approve > z', 'ask.reject > z', 'read > z', 'pay > z'],
  )
  function atTheThree(): World {
    const world = new World(definition)
    world.start()
    world.complete('one', { id: 7 })
    world.complete('two')
    return world
  }

  test('stops what runs, undoes what was done, and leaves a line for each', () => {
    const world = atTheThree()
    expect(world.cancel().commands).toEqual(['ask', 'read', 'pay'].map(key => ({ type: 'cancel', key })))
    world.settle('ask')
    world.settle('read')
    world.settle('pay')
    expect(world.undoing).toMatchObject([{ key: 'undo2', with: { url: 'http://undo.test' } }])
    world.undone('undo2', 'HTTP_500')
    expect(world.undoing).toMatchObject([{ key: 'undo1', with: { url: 'http://undo.test/7' } }])
    world.undone('undo1')
    expect(world.end).toEqual({
      type: 'finish',
      outcome: 'cancelled',
      result: undefined,
      error: undefined,
      receipt: [
        { node_id: 'ask', key: 'ask', outcome: 'stopped' },
        { node_id: 'read', key: 'read', outcome: 'stopped' },
        { node_id: 'pay', key: 'pay', outcome: 'in_doubt' },
        { node_id: 'two', key: 'two', outcome: 'compensation_failed', message: 'no' },
        { node_id: 'one', key: 'one', outcome: 'compensated', message: undefined },
      ],
    })
    expect(['one', 'two', 'ask', 'pay'].map(key => world.statusOf(key))).toEqual([
      'compensated',
      'completed',
      'cancelled',
      'cancelled',
    ])
  })

  test('while undoing, and again, changes nothing', () => {
    const world = atTheThree()
    world.cancel()
    expect(world.cancel().commands).toEqual([])
    for (const key of ['ask', 'read', 'pay']) world.settle(key)
    expect(world.cancel().commands).toEqual([])
    expect(world.undoing).toHaveLength(1)
  })

  test('while the run fails leaves it failed', () => {
    const world = atTheThree()
    world.fail('pay', 'HTTP_402')
    world.cancel()
    for (const key of ['ask', 'read']) world.settle(key)
    world.undone('undo2')
    world.undone('undo1')
    expect(world.end).toMatchObject({ outcome: 'failed', error: { code: 'HTTP_402' } })
  })

  test('before anything began ends the run, and a late start begins nothing', () => {
    const world = new World(definition)
    expect(world.cancel().commands).toMatchObject([{ type: 'finish', outcome: 'cancelled', receipt: [] }])
    expect(world.start().commands).toEqual([])
  })

  test('tells of a map that it was stopped, with or without a time limit', () => {
    for (const more of [{}, { timeout: 'P1D' }]) {
      const world = new World(pathway([map('each', body([http('f')]), more)], []), { list: [1] })
      world.start()
      world.cancel()
      world.settle('each[0]/f', 'stopped')
      expect(world.statusOf('each')).toBe('cancelled')
      expect(world.end?.receipt).toEqual([{ node_id: 'f', key: 'each[0]/f', outcome: 'in_doubt' }])
    }
  })
})

describe('news that comes twice', () => {
  test('of an undoing does not skip the next one', () => {
    const definition = pathway(
      [
        http('one', { compensate: 'undo1' }),
        http('two', { compensate: 'undo2' }),
        http('three'),
        undo('undo1'),
        undo('undo2'),
      ],
      ['one > two', 'two > three'],
    )
    const world = new World(definition)
    world.start()
    world.complete('one')
    world.complete('two')
    world.fail('three')
    world.undone('undo2')
    expect(world.undone('undo2').commands).toEqual([])
    expect(world.undoing).toMatchObject([{ key: 'undo1' }])
  })

  test('of the start does not begin again', () => {
    const world = new World(pathway([http('a')], []))
    world.start()
    expect(world.start().commands).toEqual([])
  })
})

describe('something that others stopped', () => {
  const child = node('pathway', 'child', { ref: 'other' })

  test('has failed, and an error edge takes it on', () => {
    const world = new World(pathway([child, value('fix', '${nodes.child.error.code}')], ['child.error > fix']))
    world.start()
    world.settle('child')
    expect(world.end).toMatchObject({ outcome: 'completed', result: 'CANCELLED' })
  })

  test('fails the run without one', () => {
    const world = new World(pathway([child], []))
    world.start()
    world.settle('child', 'in_doubt')
    expect(world.end).toMatchObject({ outcome: 'failed', error: { code: 'CANCELLED' } })
  })

  test('but was done first, is done', () => {
    const world = new World(pathway([child], []))
    world.start()
    world.settle('child', 'finished_first', 'result')
    expect(world.end).toMatchObject({ outcome: 'completed', result: 'result' })
  })
})

describe('undoing', () => {
  test('that can not be prepared is a failed one, however many there are', () => {
    const booking = body([
      http('book', { compensate: 'unbook' }),
      undo('unbook', 'http://undo.test/${nodes.book.output.id}'),
    ])
    const list = Array.from({ length: 2_000 }, (_, i) => i)
    const world = new World(pathway([map('each', booking, { concurrency: 100 }), http('next')], ['each > next']), {
      list,
    })
    world.start()
    for (const i of list) world.complete(`each[${i}]/book`, i === 0 ? { id: 7 } : {})
    world.fail('next')
    expect(world.undoing).toMatchObject([{ key: 'each[0]/unbook' }])
    world.undone('each[0]/unbook')
    expect(world.end?.receipt.filter(({ outcome }) => outcome === 'compensation_failed')).toHaveLength(1_999)
    expect(world.end?.receipt[0]).toMatchObject({
      key: 'each[1999]/book',
      message: expect.stringContaining('No such key: id'),
    })
  })

  test('includes what lost a race but was done', () => {
    const definition = pathway(
      [http('a'), http('b', { compensate: 'undo' }), node('join', 'won', { mode: 'any' }), http('next'), undo('undo')],
      ['a > won', 'b > won', 'won > next'],
    )
    const world = new World(definition)
    world.start()
    world.complete('a')
    world.settle('b', 'finished_first')
    world.fail('next')
    world.undone('undo')
    expect(world.end?.receipt).toMatchObject([
      { key: 'b', outcome: 'finished_first' },
      { key: 'b', outcome: 'compensated' },
    ])
  })
})

test('progress counts what a run can come to, not what would undo it', () => {
  const world = new World(pathway([http('one', { compensate: 'undo1' }), http('two'), undo('undo1')], ['one > two']))
  world.start()
  expect(measureProgress(world.graph, world.state)).toEqual({ done: 0, total: 2 })
  world.complete('one')
  world.complete('two')
  expect(measureProgress(world.graph, world.state)).toEqual({ done: 2, total: 2 })
})
