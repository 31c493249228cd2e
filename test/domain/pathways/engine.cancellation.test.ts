import { measureProgress } from '../../../domain/pathways/engine/next.ts'
import { body, http, human, map, node, pathway, value } from '../support/builders.ts'
import { AT, EngineHarness } from '../support/engine-harness.ts'

const TIMED_OUT = { code: 'TIMEOUT', message: 'timed out' }

const undo = (id: string, url = 'http://undo.test') => http(id, { with: { method: 'POST', url } })

describe('a cancel', () => {
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
  function atTheThree(): EngineHarness {
    const harness = new EngineHarness(definition)
    harness.start()
    harness.complete('one', { id: 7 })
    harness.complete('two')
    return harness
  }

  test('stops running nodes, compensates completed ones, and adds a receipt line for each', () => {
    const harness = atTheThree()
    expect(harness.cancel().commands).toEqual(['ask', 'read', 'pay'].map(key => ({ type: 'cancel', key })))
    harness.settle('ask')
    harness.settle('read')
    harness.settle('pay')
    expect(harness.undoing).toMatchObject([{ key: 'undo2', with: { url: 'http://undo.test' } }])
    harness.undone('undo2', 'HTTP_500')
    expect(harness.undoing).toMatchObject([{ key: 'undo1', with: { url: 'http://undo.test/7' } }])
    harness.undone('undo1')
    expect(harness.end).toEqual({
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
    expect(['one', 'two', 'ask', 'pay'].map(key => harness.statusOf(key))).toEqual([
      'compensated',
      'completed',
      'cancelled',
      'cancelled',
    ])
  })

  test('has no effect during compensation, or when repeated', () => {
    const harness = atTheThree()
    harness.cancel()
    expect(harness.cancel().commands).toEqual([])
    for (const key of ['ask', 'read', 'pay']) harness.settle(key)
    expect(harness.cancel().commands).toEqual([])
    expect(harness.undoing).toHaveLength(1)
  })

  test('leaves the run failed if it arrives while the run is failing', () => {
    const harness = atTheThree()
    harness.fail('pay', 'HTTP_402')
    harness.cancel()
    for (const key of ['ask', 'read']) harness.settle(key)
    harness.undone('undo2')
    harness.undone('undo1')
    expect(harness.end).toMatchObject({ outcome: 'failed', error: { code: 'HTTP_402' } })
  })

  test('before the start ends the run, and a start that arrives later has no effect', () => {
    const harness = new EngineHarness(definition)
    expect(harness.cancel().commands).toMatchObject([{ type: 'finish', outcome: 'cancelled', receipt: [] }])
    expect(harness.start().commands).toEqual([])
  })

  test('marks a map as stopped, with or without a time limit', () => {
    for (const more of [{}, { timeout: 'P1D' }]) {
      const harness = new EngineHarness(pathway([map('each', body([http('f')]), more)], []), { list: [1] })
      harness.start()
      harness.cancel()
      harness.settle('each[0]/f', 'stopped')
      expect(harness.statusOf('each')).toBe('cancelled')
      expect(harness.end?.receipt).toEqual([{ node_id: 'f', key: 'each[0]/f', outcome: 'in_doubt' }])
    }
  })
})

describe('a call with an unknown outcome', () => {
  const graph = pathway([http('one', { compensate: 'undo1' }), http('two'), undo('undo1')], ['one > two'])
  const timeOut = (harness: EngineHarness, key: string) =>
    harness.deliver({ type: 'failed', key, at: AT, error: TIMED_OUT, timeout: true, may_have_arrived: true })

  test('is marked as in doubt in the receipt of the run that it fails, before completed nodes are compensated', () => {
    const harness = new EngineHarness(graph)
    harness.start()
    harness.complete('one')
    timeOut(harness, 'two')
    harness.undone('undo1')
    expect(harness.end).toMatchObject({ outcome: 'failed', error: { code: 'TIMEOUT' } })
    expect(harness.end?.receipt).toEqual([
      { node_id: 'two', key: 'two', outcome: 'in_doubt' },
      { node_id: 'one', key: 'one', outcome: 'compensated', message: undefined },
    ])
  })

  test('is marked as in doubt and not compensated, even if it has a compensation', () => {
    const harness = new EngineHarness(graph)
    harness.start()
    timeOut(harness, 'one')
    expect(harness.undoing).toEqual([])
    expect(harness.end?.receipt).toEqual([{ node_id: 'one', key: 'one', outcome: 'in_doubt' }])
  })

  test('appears in the receipt only if the run fails later, not if its error edge leads to completion', () => {
    const handled = pathway([http('one'), http('two')], ['one.error > two'])
    for (const [ending, receipt] of [
      ['complete', []],
      ['fail', [{ node_id: 'one', key: 'one', outcome: 'in_doubt' }]],
    ] as const) {
      const harness = new EngineHarness(handled)
      harness.start()
      timeOut(harness, 'one')
      harness[ending]('two')
      expect(harness.end?.receipt).toEqual(receipt)
    }
  })

  test('that only reads leaves nothing in doubt', () => {
    const harness = new EngineHarness(pathway([http('read', { with: { url: 'https://x.example' } })], []))
    harness.start()
    timeOut(harness, 'read')
    expect(harness.end).toMatchObject({ outcome: 'failed', receipt: [] })
  })
})

describe('an event that is received twice', () => {
  test('for a compensation does not skip the next one', () => {
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
    const harness = new EngineHarness(definition)
    harness.start()
    harness.complete('one')
    harness.complete('two')
    harness.fail('three')
    harness.undone('undo2')
    expect(harness.undone('undo2').commands).toEqual([])
    expect(harness.undoing).toMatchObject([{ key: 'undo1' }])
  })

  test('for the start does not start the run again', () => {
    const harness = new EngineHarness(pathway([http('a')], []))
    harness.start()
    expect(harness.start().commands).toEqual([])
  })
})

describe('a child run that someone else stopped', () => {
  const child = node('pathway', 'child', { ref: 'other' })

  test('counts as failed, and an error edge handles it', () => {
    const harness = new EngineHarness(
      pathway([child, value('fix', '${nodes.child.error.code}')], ['child.error > fix']),
    )
    harness.start()
    harness.settle('child')
    expect(harness.end).toMatchObject({ outcome: 'completed', result: 'CANCELLED' })
  })

  test('fails the parent run if there is no error edge', () => {
    const harness = new EngineHarness(pathway([child], []))
    harness.start()
    harness.settle('child', 'in_doubt')
    expect(harness.end).toMatchObject({ outcome: 'failed', error: { code: 'CANCELLED' } })
  })

  test('counts as completed if it finished first', () => {
    const harness = new EngineHarness(pathway([child], []))
    harness.start()
    harness.settle('child', 'finished_first', 'result')
    expect(harness.end).toMatchObject({ outcome: 'completed', result: 'result' })
  })
})

describe('a compensation', () => {
  test('fails if it cannot be prepared, however many compensations there are', () => {
    const booking = body([
      http('book', { compensate: 'unbook' }),
      undo('unbook', 'http://undo.test/${nodes.book.output.id}'),
    ])
    const list = Array.from({ length: 2_000 }, (_, i) => i)
    const harness = new EngineHarness(
      pathway([map('each', booking, { concurrency: 100 }), http('next')], ['each > next']),
      {
        list,
      },
    )
    harness.start()
    for (const i of list) harness.complete(`each[${i}]/book`, i === 0 ? { id: 7 } : {})
    harness.fail('next')
    expect(harness.undoing).toMatchObject([{ key: 'each[0]/unbook' }])
    harness.undone('each[0]/unbook')
    expect(harness.end?.receipt.filter(({ outcome }) => outcome === 'compensation_failed')).toHaveLength(1_999)
    expect(harness.end?.receipt[0]).toMatchObject({
      key: 'each[1999]/book',
      message: expect.stringContaining('No such key: id'),
    })
  })

  test('covers nodes that lost a race after they completed', () => {
    const definition = pathway(
      [http('a'), http('b', { compensate: 'undo' }), node('join', 'won', { mode: 'any' }), http('next'), undo('undo')],
      ['a > won', 'b > won', 'won > next'],
    )
    const harness = new EngineHarness(definition)
    harness.start()
    harness.complete('a')
    harness.settle('b', 'finished_first')
    harness.fail('next')
    harness.undone('undo')
    expect(harness.end?.receipt).toMatchObject([
      { key: 'b', outcome: 'finished_first' },
      { key: 'b', outcome: 'compensated' },
    ])
  })
})

test('progress counts the reachable nodes, but no compensations', () => {
  const harness = new EngineHarness(
    pathway([http('one', { compensate: 'undo1' }), http('two'), undo('undo1')], ['one > two']),
  )
  harness.start()
  expect(measureProgress(harness.graph, harness.state)).toEqual({ done: 0, total: 2 })
  harness.complete('one')
  harness.complete('two')
  expect(measureProgress(harness.graph, harness.state)).toEqual({ done: 2, total: 2 })
})
