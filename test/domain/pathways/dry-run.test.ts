import { outputProblems } from '../../../domain/pathways/dry-run-outputs.ts'
import { dryRun } from '../../../domain/pathways/dry-run.ts'
import { body, http, human, loop, map, node, pathway, value } from '../support/builders.ts'

const switchTo = (port: string) => node('switch', 'which', { cases: [{ port, when: 'true' }] })

test('a chain of transforms passes values on with their types', () => {
  const definition = pathway(
    [
      value('a', { n: '${input.n + 1}' }),
      value('b', 'n is ${nodes.a.output.n}'),
      node('end', 'z', { output: { a: '${nodes.a.output.n}', b: '${nodes.b.output}' } }),
    ],
    ['a > b', 'b > z'],
  )
  expect(dryRun(definition, { input: { n: 1 } })).toMatchObject({ status: 'completed', result: { a: 2, b: 'n is 2' } })
})

test('all nodes without incoming edges start automatically', () => {
  const alone = [value('a', 1), value('b', 2), map('each', body([value('c', 3), value('d', 4)]))]
  const { status, steps } = dryRun(pathway(alone, []), { input: { list: [0] } })
  const completed = steps.filter(step => step.status === 'completed').map(({ key }) => key)
  expect([status, completed]).toEqual(['completed', ['a', 'b', 'each', 'each[0]/c', 'each[0]/d']])
})

describe('a switch', () => {
  const cases = [{ port: 'large', when: 'input.total > 1000' }]
  const definition = pathway(
    [
      node('switch', 'big', { cases, default: 'small' }),
      value('l', 'large'),
      value('s', 'small'),
      value('both', 'merged ${has(nodes.l) ? "l" : "s"}'),
    ],
    ['big.large > l', 'big.small > s', 'l > both', 's > both'],
  )

  test.each([
    [5000, 'merged l'],
    [10, 'merged s'],
  ])('takes one branch for %d, and the merge runs once', (total, result) => {
    const report = dryRun(definition, { input: { total } })
    expect(report.result).toBe(result)
    expect(report.steps.filter(step => step.status === 'skipped')).toHaveLength(1)
  })
})

describe('people', () => {
  const review = human('review', { title: 'Pay ${input.total}?', due: 'P2D', assignees: ['user:a', '${input.also}'] })
  const definition = pathway(
    [review, http('pay'), value('no', 'rejected'), value('late', 'late')],
    ['review.approve > pay', 'review.reject > no', 'review.timeout > late'],
  )
  const input = { total: 7, also: ['user:b', 'user:a'] }

  test('stop the dry run, which shows what people would be asked', () => {
    const report = dryRun(definition, { input })
    expect(report).toMatchObject({ status: 'waiting', needs: [{ key: 'review', type: 'human' }] })
    const request = { title: 'Pay 7?', due_at: '2000-01-03T00:00:00.000Z', assignees: ['user:a', 'user:b'] }
    expect(report.steps[0]?.with).toMatchObject(request)
  })

  test('see text where an expression returns a value of another type', () => {
    const questions = [{ id: 'q', text: '${input.total}', options: ['${input.also}', '7'] }]
    const ask = human('ask', { kind: 'questions', title: '${input.total}', questions })
    const asking = pathway([ask, value('end', 1)], ['ask.answer_questions > end', 'ask.decline_questions > end'])
    expect(dryRun(asking, { input }).steps[0]?.with).toMatchObject({
      title: '7',
      questions: [{ id: 'q', text: '7', options: ['["user:b","user:a"]', '7'] }],
    })
  })

  test('reject, or let the time run out, and each outcome follows its own edge', () => {
    expect(dryRun(definition, { input, outputs: { review: { action: 'reject' } } }).result).toBe('rejected')
    expect(dryRun(definition, { input, outputs: { review: { $timeout: true } } }).result).toBe('late')
  })

  test.each([
    [['user:b', 'procurement'], 'procurement'],
    ['', ''],
    [null, 'null'],
    [{ a: 1 }, '{"a":1}'],
  ])('that no caller can match fail the node: %j', (also, wrong) => {
    const rule = 'it must be a person such as user:ann or a group such as group:finance'
    const message = `review: /assignees/1 evaluates to "${wrong}": ${rule}`
    const report = dryRun(definition, { input: { total: 7, also } })
    expect(report).toMatchObject({ status: 'failed', error: { code: 'INVALID_ASSIGNEE', message } })
  })

  test('that are an empty list fail the node, and no assignees mean everyone', () => {
    const listed = (assignees: unknown[]) =>
      pathway([human('ask', { kind: 'approval', assignees }), value('z', 1)], ['ask.approve > z', 'ask.reject > z'])
    const message = 'ask: /assignees evaluates to an empty list: it must name at least one person or group'
    expect(dryRun(listed(['${input.none}', '${input.none}']), { input: { none: [] } })).toMatchObject({
      status: 'failed',
      error: { code: 'INVALID_ASSIGNEE', message },
    })
    expect(dryRun(listed(['${input.none}', 'user:ann']), { input: { none: [] } }).status).toBe('waiting')
    expect(dryRun(listed([]), {}).status).toBe('waiting')
  })

  test('can only give valid answers', () => {
    const report = dryRun(definition, { input, outputs: { review: { action: 'aprove' } } })
    const message = 'review: the mocked answer needs an action: approve or reject'
    expect(report).toMatchObject({ status: 'failed', error: { code: 'INVALID_INPUT', message } })
  })
})

describe('a form', () => {
  const form = { type: 'object', properties: { iban: { type: 'string' } }, required: ['iban'] }
  const ask = human('ask', { kind: 'form', form })
  const definition = pathway([ask, value('z', '${nodes.ask.output.data.iban}')], ['ask.submit_input > z'])
  const answerWith = (answer: object) => dryRun(definition, { outputs: { ask: { ...answer } } })

  test('is filled with default values when it opens, and leaves the rest unchanged', () => {
    const fields = {
      iban: { type: 'string', default: '${input.iban}', description: 'Not ${input.iban}' },
      address: { type: 'object', properties: { city: { default: 'c/o ${input.city}' }, floor: { default: 1 } } },
    }
    const asked = human('ask', { kind: 'form', form: { type: 'object', properties: fields } })
    const report = dryRun(pathway([asked, value('z', '${1}')], ['ask.submit_input > z']), {
      input: { iban: 'DE1', city: 'Bonn' },
    })
    expect(report.steps[0]?.with).toMatchObject({
      form: {
        properties: {
          iban: { default: 'DE1', description: 'Not ${input.iban}' },
          address: { properties: { city: { default: 'c/o Bonn' }, floor: { default: 1 } } },
        },
      },
    })
    const broken = human('ask', { kind: 'form', form: { properties: { a: { default: '${nodes.none.output}' } } } })
    expect(() => pathway([broken, value('z', '${1}')], ['ask.submit_input > z'])).toThrow(
      '/nodes/0/form/properties/a/default',
    )
  })

  test('has no default that is null, unless the field accepts null', () => {
    const none = '${null}'
    const fields = {
      note: { type: 'string', default: none },
      due: { type: ['string', 'null'], default: none },
      cause: { enum: ['theft', null], default: none },
    }
    const asked = human('ask', { kind: 'form', form: { type: 'object', properties: fields } })
    const report = dryRun(pathway([asked, value('z', '${1}')], ['ask.submit_input > z']), {})
    expect(report.steps[0]?.with).toMatchObject({
      form: {
        properties: {
          note: { type: 'string' },
          due: { type: ['string', 'null'], default: null },
          cause: { enum: ['theft', null], default: null },
        },
      },
    })
    expect(JSON.stringify(report.steps[0]?.with)).toContain('"note":{"type":"string"}')
  })

  test('accepts a valid mock answer', () => {
    expect(answerWith({ action: 'submit_input', data: { iban: 'DE1' } }).result).toBe('DE1')
  })

  test.each([
    [{ data: { ibn: 'DE1' } }, 'does not match the form: /data must have the field "iban"'],
    [{ data: { iban: 5 } }, 'does not match the form: /data/iban must be a string'],
    [{}, 'needs data'],
  ])('rejects %j', (answer, problem) => {
    expect(answerWith({ action: 'submit_input', ...answer })).toMatchObject({
      status: 'failed',
      error: { code: 'INVALID_INPUT', message: `ask: the mocked answer ${problem}` },
    })
  })
})

test('a mock answer gets an author and a time', () => {
  const ask = node('human', 'ask', { kind: 'questions', title: 'Which?', questions: [{ id: 'q', text: 'Which?' }] })
  const ends = [node('end', 'said', { output: '${nodes.ask.output.by}' }), node('end', 'none', { output: null })]
  const definition = pathway([ask, ...ends], ['ask.answer_questions > said', 'ask.decline_questions > none'])
  const answerWith = (more: object) =>
    dryRun(definition, { outputs: { ask: { action: 'answer_questions', answers: { q: 'this' }, ...more } } }).result
  expect(answerWith({})).toBe('dry-run')
  expect(answerWith({ by: 'user:ann' })).toBe('user:ann')
})

test('mock outputs apply to nodes of the pathway, by id or by visit key', () => {
  const inner = loop('again', 'true', 2, body([http('price')]))
  const definition = pathway([http('call'), map('each', body([inner]))], [])
  const known = ['call', 'each', 'again', 'price', 'each[1]/again', 'each[12]/again[0]/price']
  expect(outputProblems(definition, Object.fromEntries(known.map(key => [key, 1])))).toEqual([])
  const unknown = [
    'reviw',
    'each[0]',
    'each/again',
    'each[0]/price',
    'call[0]/price',
    'each[0]/again[1]/prize',
    'a/b/c',
  ]
  const message = 'must name a node of the pathway, such as call, each, again, price'
  expect(outputProblems(definition, Object.fromEntries(unknown.map(key => [key, 1])))).toEqual(
    unknown.map(key => ({ pointer: `/outputs/${key.replaceAll('/', '~1')}`, message })),
  )
})

describe('errors', () => {
  test('are handled by an error edge', () => {
    const definition = pathway([http('call'), value('fix', '${nodes.call.error.code}')], ['call.error > fix'])
    const outputs = { call: { $error: { code: 'HTTP_500', message: 'x' } } }
    expect(dryRun(definition, { outputs }).result).toBe('HTTP_500')
  })

  test('fail the run if there is no error edge, and completed nodes are compensated, last first', () => {
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
    const outputs = { one: { id: 7 }, two: {}, three: { $error: { code: 'BAD', message: 'no' } } }
    const report = dryRun(definition, { outputs })
    expect(report).toMatchObject({ status: 'failed', error: { code: 'BAD', message: 'three: no' } })
    expect(report.steps.filter(step => step.status === 'compensated').map(step => step.key)).toEqual(['one', 'two'])
  })

  test('include a timeout without an edge for it', () => {
    const definition = pathway([http('call'), value('fix', 'fixed')], ['call.error > fix'])
    expect(dryRun(definition, { outputs: { call: { $timeout: true } } }).result).toBe('fixed')
  })
})

describe('map', () => {
  const fetching = body(
    [
      http('fetch', { with: { url: 'https://example.test/${item}' } }),
      node('end', 'out', { output: '${nodes.fetch.output.body} ${index}' }),
    ],
    ['fetch > out'],
  )

  test('returns its outputs in item order', () => {
    const definition = pathway([map('each', fetching, { concurrency: 2 })], [])
    const outputs = { 'each[0]/fetch': { body: 'a' }, 'each[1]/fetch': { body: 'b' }, fetch: { body: 'c' } }
    expect(dryRun(definition, { input: { list: [1, 2, 3] }, outputs }).result).toEqual(['a 0', 'b 1', 'c 2'])
    expect(dryRun(definition, { input: { list: [] } }).result).toEqual([])
  })

  test.each([
    [3, 'NOT_A_LIST'],
    [Array.from({ length: 10_001 }, () => 0), 'TOO_MANY_ITEMS'],
  ])('requires a list of limited length', (list, code) => {
    const definition = pathway([map('each', fetching)], [])
    expect(dryRun(definition, { input: { list } })).toMatchObject({ status: 'failed', error: { code } })
  })

  test('fails as one node when an item fails', () => {
    const nodes = [map('each', fetching), value('fix', '${nodes.each.error.message}')]
    const outputs = { 'each[0]/fetch': { body: 'a' }, 'each[1]/fetch': { $error: { code: 'X', message: 'gone' } } }
    const report = dryRun(pathway(nodes, ['each.error > fix']), { input: { list: [1, 2, 3] }, outputs })
    expect(report.result).toBe('each[1]/fetch: gone')
  })
})

describe('loop', () => {
  const turn = body(
    [
      value('draft', 'draft ${iteration}'),
      human('ok'),
      node('end', 'yes', { output: { action: 'approve', text: '${nodes.draft.output}' } }),
      node('end', 'no', { output: { action: 'reject' } }),
    ],
    ['draft > ok', 'ok.approve > yes', 'ok.reject > no'],
  )
  const revise = (max: number) => loop('revise', 'last.action == "approve"', max, turn)

  test('revises until approved', () => {
    const outputs = { 'revise[1]/ok': { action: 'reject' }, 'revise[2]/ok': { action: 'approve' } }
    expect(dryRun(pathway([revise(5)], []), { outputs }).result).toEqual({ action: 'approve', text: 'draft 2' })
  })

  test('exits through exhausted, or fails without such an edge', () => {
    const outputs = { ok: { action: 'reject' } }
    const exhausted = {
      status: 'failed',
      error: { code: 'EXHAUSTED', message: 'revise: condition not met after 2 iterations' },
    }
    expect(dryRun(pathway([revise(2)], []), { outputs })).toMatchObject(exhausted)
    const definition = pathway([revise(2), value('gave_up', 'gave up')], ['revise.exhausted > gave_up'])
    expect(dryRun(definition, { outputs }).result).toBe('gave up')
  })
})

describe('joins', () => {
  const race = (mode: object) =>
    pathway([http('a'), http('b'), http('c'), node('join', 'won', mode)], ['a > won', 'b > won', 'c > won'])

  test('of type any continue with the first branch and stop the others', () => {
    const report = dryRun(race({ mode: 'any' }), { outputs: { b: { ok: true } } })
    expect(report).toMatchObject({ status: 'completed', result: { arrived: ['b'] } })
    expect(report.steps.filter(step => step.status === 'cancelled').map(step => step.key)).toEqual(['a', 'c'])
  })

  test('of type n wait for n branches', () => {
    expect(dryRun(race({ mode: 'n', n: 2 }), { outputs: { b: {} } }).status).toBe('waiting')
    expect(dryRun(race({ mode: 'n', n: 2 }), { outputs: { b: {}, c: {} } }).result).toEqual({ arrived: ['b', 'c'] })
  })

  test('of type n fail when too few branches can arrive', () => {
    const nodes = [switchTo('x'), value('a', 1), value('b', 2), node('join', 'two', { mode: 'n', n: 2 })]
    const definition = pathway(nodes, ['which.x > a', 'which > b', 'a > two', 'b > two'])
    expect(dryRun(definition, {})).toMatchObject({ status: 'failed', error: { code: 'JOIN_UNREACHABLE' } })
  })

  test('of type all wait for every live branch, but not for dead ones', () => {
    const nodes = [switchTo('x'), value('a', 1), value('b', 2), value('c', 3), node('join', 'every', { mode: 'all' })]
    const ways = ['which.x > a', 'which > b', 'which.x > c', 'a > every', 'b > every', 'c > every']
    expect(dryRun(pathway(nodes, ways), {}).result).toEqual({ arrived: ['a', 'c'] })
  })
})

describe('waits', () => {
  test('take no time', () => {
    const nodes = [node('wait', 'w', { duration: 'PT5M' }), value('z', '${nodes.w.output.at}')]
    expect(dryRun(pathway(nodes, ['w > z']), {}).result).toBe('2000-01-01T00:05:00.000Z')
  })

  test.each(['soon', '2024-01-01T00:00:00', 5, null])('until %j are rejected', until => {
    const definition = pathway([node('wait', 'w', { until: '${input.until}' })], [])
    const report = dryRun(definition, { input: { until } })
    expect(report).toMatchObject({ status: 'failed', error: { code: 'NOT_A_TIME' } })
  })
})

describe('a dry run ends in time', () => {
  test('when a pathway loops endlessly', () => {
    const inner = loop('inner', 'iteration >= 1000', 1000, body([value('x', 1)]))
    const report = dryRun(pathway([loop('outer', 'false', 1000, body([inner]))], []), {})
    expect(report).toMatchObject({ status: 'failed', error: { code: 'TOO_MANY_STEPS' } })
  })

  test('when its expressions are slow', () => {
    const costly = '${size(input.list.map(x, input.list.map(y, x * y)))}'
    const definition = pathway([loop('l', 'false', 1000, body([value('v', costly)]))], [])
    const report = dryRun(definition, { input: { list: Array.from({ length: 400 }, (_, i) => i) } })
    expect(report).toMatchObject({ status: 'failed', error: { code: 'TOO_MANY_STEPS' } })
  })
})
