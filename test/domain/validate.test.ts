import type { PathwayNode } from '../../domain/pathway/definition.ts'
import { validateDefinition } from '../../domain/pathway/validate.ts'
import { body, http, human, loop, map, node, value } from './support/builders.ts'

/** Problems as `pointer: message`, so that a test reads like the answer. */
function problems(raw: unknown): string[] {
  const checked = validateDefinition(raw)
  return checked.ok ? [] : checked.problems.map(({ pointer, message }) => `${pointer}: ${message}`)
}

const problemsOf = (nodes: unknown[], lines: string[] = [], more: object = {}): string[] =>
  problems({ schema: 'pathway/1', ...body(nodes as PathwayNode[], lines), ...more })

/** Of one node, with all its ways leading to a last one. */
const ofNode = (more: object, ...ways: string[]): string[] =>
  problemsOf(
    [{ id: 'n', ...more }, value('z', 1)],
    ways.map(way => `n${way} > z`),
  )

describe('the whole', () => {
  test('that is right is taken as it is', () => {
    const definition = { schema: 'pathway/1', input: { type: 'object' }, nodes: [value('a', 1)], edges: [] }
    expect(validateDefinition(definition)).toEqual({ ok: true, definition })
  })

  test.each<[unknown, string]>([
    [undefined, ': must be object'],
    [null, ': must be object'],
    [[], ': must be object'],
    ['pathway/1', ': must be object'],
    [{}, ": must have required property 'nodes'"],
    [{ schema: 'pathway/2', nodes: [], edges: [] }, '/schema: must be "pathway/1"'],
    [{ schema: 'pathway/1', nodes: [], edges: [] }, '/nodes: must NOT have fewer than 1 items'],
    [{ schema: 'pathway/1', nodes: {}, edges: [] }, '/nodes: must be array'],
    [{ schema: 'pathway/1', nodes: [null], edges: [] }, '/nodes/0: must be object'],
    [{ schema: 'pathway/1', nodes: [{ id: 'a' }], edges: [] }, "/nodes/0: must have required property 'type'"],
    [
      { schema: 'pathway/1', nodes: [value('a', 1)], edges: [{ from: 'a' }] },
      "/edges/0: must have required property 'to'",
    ],
    [{ schema: 'pathway/1', nodes: [value('a', 1)], edges: [], extra: 1 }, ': unknown field "extra"'],
    [{ schema: 'pathway/1', nodes: [value('a', 1)], edges: [], input: true }, '/input: must be object'],
  ])('%j is refused', (raw, problem) => expect(problems(raw)).toContain(problem))

  test('is named by its place in the request', () => {
    const checked = validateDefinition(
      { schema: 'pathway/1', nodes: [{ id: 'a', type: 'http' }], edges: [] },
      { at: '/definition' },
    )
    expect(checked).toMatchObject({ problems: [{ pointer: '/definition/nodes/0' }] })
  })

  test('with ten thousand nodes is refused at once, bodies included', () => {
    const many = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => value(`${prefix}${i}`, i))
    const before = performance.now()
    expect(problemsOf(many('a', 10_000))).toEqual(['/nodes: has 10000 nodes, bodies included; 500 at most'])
    expect(problemsOf(many('a', 300).concat(map('m', body(many('b', 300)))))).toEqual([
      '/nodes: has 601 nodes, bodies included; 500 at most',
    ])
    expect(
      problemsOf(
        [value('a', 1)],
        Array.from({ length: 3_000 }, () => 'a > a'),
      ),
    ).toEqual(['/edges: must NOT have more than 2000 items'])
    expect(performance.now() - before).toBeLessThan(1_000)
  })

  test('of five hundred nodes is checked quickly', () => {
    const nodes = Array.from({ length: 500 }, (_, i) => value(`n${i}`, i > 0 ? `\${nodes.n${i - 1}.output}` : 1))
    const lines = nodes
      .slice(1)
      .flatMap((_, i) => [1, 2, 3].flatMap(step => (i + step < 500 ? [`n${i} > n${i + step}`] : [])))
    const before = performance.now()
    expect(problemsOf(nodes, lines)).toEqual([])
    expect(performance.now() - before).toBeLessThan(2_000)
  })

  test('that is nested without end is refused', () => {
    let deep: unknown = 1
    for (let i = 0; i < 50_000; i++) deep = { a: [deep] }
    expect(problemsOf([node('transform', 'a', { with: { value: deep } })])).toEqual([': is more than 200 levels deep'])
    let inside = value('x', 1)
    for (let i = 0; i < 4; i++) inside = map(`m${i}`, body([inside]))
    expect(problemsOf([inside])).toEqual([
      '/nodes/0/body/nodes/0/body/nodes/0/body/nodes/0/body: bodies nest at most 3 deep',
    ])
  })

  test('tells all that is wrong with it at once', () => {
    const nodes = [
      http('a', { with: { url: 'ftp://x' } }),
      http('a', { timeout: 'soon' }),
      human('h'),
      node('search', 's', {}),
      node('nope', 'x', {}),
    ]
    expect(problemsOf(nodes, ['a > gone', 'a.odd > h'])).toEqual([
      '/nodes/1/timeout: must be an ISO 8601 duration of weeks, days, hours, minutes or seconds, such as PT5M',
      '/nodes/3/type: nodes of type "search" are not available yet',
      expect.stringContaining('/nodes/4/type: unknown node type; known are transform, switch'),
    ])
    expect(
      problemsOf([...nodes.slice(0, 1), http('a'), human('h')], ['a > gone', 'a.odd > h', 'a > h', 'h > a']),
    ).toEqual([
      '/edges/0/to: there is no node "gone" here',
      '/edges/1/on: "a" has no port "odd"; it has default, error',
      '/edges/3/on: "h" has no port "default"; it has approve, reject, error',
      '/edges/3: closes a cycle: a -> h -> a; repeat with a loop node',
      '/nodes/2: "h" has no edge on "approve": nobody could go on from there',
      '/nodes/2: "h" has no edge on "reject": nobody could go on from there',
      '/nodes/0/with/url: must be an http or https address',
      '/nodes/1/id: "a" is also the id of /nodes/0',
    ])
  })
})

describe('ids', () => {
  test.each(['', '1a', 'a b', 'a.b', 'a/b', 'a[0]', 'ä', 'a'.repeat(65), '__proto__', 'a\n'])('"%s" is none', id => {
    expect(problemsOf([value(id, 1)])).toEqual([expect.stringContaining('/nodes/0/id: must match pattern')])
  })

  test.each(['constructor', 'toString', 'hasOwnProperty', 'valueOf'])('%s is taken by every object', id => {
    expect(problemsOf([value('a', 1), value(id, 1)], [`a > ${id}`])).toEqual([
      `/nodes/1/id: "${id}" can't be the id of a node`,
    ])
  })

  test('are unique over all bodies', () => {
    expect(problemsOf([value('a', 1), map('m', body([value('a', 1)]))], ['a > m'])).toEqual([
      '/nodes/1/body/nodes/0/id: "a" is also the id of /nodes/0',
    ])
  })
})

describe('edges', () => {
  test('form no cycle, and the way around is shown', () => {
    const ring = [value('a', 1), value('b', 1), value('c', 1)]
    expect(problemsOf(ring, ['a > b', 'b > c', 'c > a'])).toEqual([
      '/edges/2: closes a cycle: a -> b -> c -> a; repeat with a loop node',
    ])
    expect(problemsOf(ring.slice(0, 1), ['a > a'])).toEqual([
      '/edges/0: closes a cycle: a -> a; repeat with a loop node',
    ])
    expect(problemsOf([map('m', body(ring.slice(0, 2), ['a > b', 'b.error > a']))])).toEqual([
      '/nodes/0/body/edges/1: closes a cycle: a -> b -> a; repeat with a loop node',
    ])
  })

  test.each<[string, string[], string]>([
    ['twice the same', ['a > b', 'a.default > b'], '/edges/1: the same edge stands here twice'],
    ['after an end', ['a > e', 'e > b'], '/edges/1/on: "e" ends the run: nothing comes after it'],
    ['from a body', ['a > b', 'inside > b'], '/edges/1/from: there is no node "inside" here'],
    [
      'on a timeout that never comes',
      ['a.timeout > b'],
      '/edges/0/on: "a" has no port "timeout"; it has default, error',
    ],
  ])('%s', (_name, lines, problem) => {
    expect(
      problemsOf(
        [http('a'), value('b', 1), node('end', 'e', {}), map('m', body([value('inside', 1)]))],
        [...lines, 'a.error > m'],
      ),
    ).toContain(problem)
  })

  test('lead everywhere', () => {
    expect(problemsOf([value('a', 1), value('b', 1), value('c', 1)], ['a > b'])).toEqual([
      '/nodes/2: "c" is unreachable: no edge leads to it or from it',
    ])
    expect(problemsOf([http('a', { compensate: 'u' }), http('u')])).toEqual([])
  })

  test('lead on from every answer of a person', () => {
    expect(ofNode({ type: 'human', kind: 'approval', due: 'P1D' }, '.approve')).toEqual([
      '/nodes/0: "n" has no edge on "reject": nobody could go on from there',
      '/nodes/0: "n" has no edge on "timeout": nobody could go on from there',
    ])
    expect(
      ofNode({ type: 'human', kind: 'questions', questions: [{ id: 'q', text: '?' }] }, '.answer_questions', '.error'),
    ).toEqual(['/nodes/0: "n" has no edge on "decline_questions": nobody could go on from there'])
    expect(ofNode({ type: 'human', kind: 'form', form: {} }, '.submit_input')).toEqual([])
  })
})

describe('what undoes a node', () => {
  const undo = (id: string, more: object = {}) => http(id, more)
  test.each<[string, PathwayNode[], string[], string]>([
    ['exists', [http('a', { compensate: 'u' })], [], '/nodes/0/compensate: there is no node "u" here'],
    [
      'acts',
      [http('a', { compensate: 'u' }), value('u', 1)],
      [],
      '/nodes/0/compensate: only an http or neuron node can undo another',
    ],
    [
      'is not undone',
      [http('a', { compensate: 'u' }), undo('u', { compensate: 'v' }), undo('v')],
      [],
      '/nodes/0/compensate: "u" undoes another node, so it can\'t be undone itself',
    ],
    [
      'is not itself',
      [http('a', { compensate: 'a' })],
      [],
      '/nodes/0/compensate: "a" undoes another node, so it can\'t be undone itself',
    ],
    [
      'stands apart',
      [http('a', { compensate: 'u' }), undo('u')],
      ['a > u'],
      '/nodes/0/compensate: "u" undoes another node, so no edges may touch it',
    ],
    [
      'undoes nothing else',
      [http('a', { compensate: 'u' }), http('b', { compensate: 'u' }), undo('u')],
      ['a > b'],
      '/nodes/1/compensate: "u" already undoes "a"',
    ],
    [
      'is in the same body',
      [http('a', { compensate: 'u' }), map('m', body([undo('u')]))],
      ['a > m'],
      '/nodes/0/compensate: there is no node "u" here',
    ],
  ])('%s', (_name, nodes, lines, problem) => expect(problemsOf(nodes, lines)).toContain(problem))

  test('reads what is known when that node is over', () => {
    const reads = (id: string) => undo('u', { with: { url: `http://x.test/\${nodes.${id}.output}` } })
    const nodes = (id: string) => [http('before'), http('a', { compensate: 'u' }), http('after'), reads(id)]
    const lines = ['before > a', 'a > after']
    expect(problemsOf(nodes('before'), lines)).toEqual([])
    expect(problemsOf(nodes('a'), lines)).toEqual([])
    expect(problemsOf(nodes('after'), lines)).toEqual([
      '/nodes/3/with: nodes.after can\'t be read here: no way leads from "after" to "u"',
    ])
  })

  test('belongs to nodes that act', () => {
    expect(ofNode({ type: 'transform', with: { value: 1 }, compensate: 'z' }, '')).toEqual([
      '/nodes/0: unknown field "compensate"',
    ])
  })
})

describe('nodes', () => {
  const DURATION = 'must be an ISO 8601 duration of weeks, days, hours, minutes or seconds, such as PT5M'
  const questions = (...ids: string[]) => ids.map(id => ({ id, text: '?' }))
  const approval = { type: 'human', kind: 'approval' }
  const BOTH = ['.approve', '.reject']

  test.each<[object, string[], string]>([
    [{ type: 'search' }, [''], '/nodes/0/type: nodes of type "search" are not available yet'],
    [{ type: 'tool' }, [''], '/nodes/0/type: nodes of type "tool" are not available yet'],
    [{ type: 'transcribe' }, [''], '/nodes/0/type: nodes of type "transcribe" are not available yet'],
    [
      { type: 'constructor' },
      [''],
      '/nodes/0/type: unknown node type; known are transform, switch, http, neuron, map, loop, pathway, human, wait, join, end',
    ],
    [
      { type: 7 },
      [''],
      '/nodes/0/type: unknown node type; known are transform, switch, http, neuron, map, loop, pathway, human, wait, join, end',
    ],
    [{ type: 'transform' }, [''], "/nodes/0: must have required property 'with'"],
    [{ type: 'transform', with: { value: 1, more: 2 } }, [''], '/nodes/0/with: unknown field "more"'],
    [{ type: 'transform', with: { value: 1 }, titel: 'x' }, [''], '/nodes/0: unknown field "titel"'],
    [
      { type: 'http', with: { url: 'http://x', method: 'FETCH' } },
      [''],
      '/nodes/0/with/method: must be one of GET, HEAD, POST, PUT, PATCH, DELETE',
    ],
    [{ type: 'http', with: { url: 'http://x', json: 1, body: 'x' } }, [''], '/nodes/0/with: must NOT be valid'],
    [
      { type: 'http', with: { url: 'javascript:alert(1)' } },
      [''],
      '/nodes/0/with/url: must be an http or https address',
    ],
    [{ type: 'http', with: { url: 'http://x' }, timeout: '5 minutes' }, [''], `/nodes/0/timeout: ${DURATION}`],
    [{ type: 'http', with: { url: 'http://x' }, timeout: 'PT0S' }, [''], `/nodes/0/timeout: ${DURATION}`],
    [{ type: 'http', with: { url: 'http://x' }, timeout: 'P1M' }, [''], `/nodes/0/timeout: ${DURATION}`],
    [
      { type: 'http', with: { url: 'http://x' }, retry: { initial: '1s', max_attempts: 0 } },
      [''],
      `/nodes/0/retry/initial: ${DURATION}`,
    ],
    [
      { type: 'http', with: { url: 'http://x' }, retry: { backoff: 0.5 } },
      [''],
      '/nodes/0/retry/backoff: must be >= 1',
    ],
    [
      { type: 'neuron', with: { message: 'hi', schema: { $ref: '#' } } },
      [''],
      '/nodes/0/with/schema/$ref: schemas that contain themselves are not supported',
    ],
    [{ type: 'switch', cases: [] }, [], '/nodes/0/cases: must NOT have fewer than 1 items'],
    [
      {
        type: 'switch',
        cases: [
          { port: 'a', when: 'true' },
          { port: 'a', when: 'true' },
        ],
      },
      ['.a'],
      '/nodes/0/cases/1/port: port "a" stands here twice',
    ],
    [
      { type: 'switch', cases: [{ port: 'error', when: 'true' }] },
      ['.error'],
      '/nodes/0/cases/0/port: "error" is a port of its own kind',
    ],
    [
      { type: 'switch', cases: [{ port: 'a', when: 'true' }], default: 'timeout' },
      ['.a'],
      '/nodes/0/default: "timeout" is a port of its own kind',
    ],
    [
      { type: 'switch', cases: [{ port: 'a', when: '"yes"' }] },
      ['.a'],
      '/nodes/0/cases/0/when: has to give true or false, and gives a value of type string',
    ],
    [
      { type: 'switch', cases: [{ port: 'a', when: '${input.x}' }] },
      ['.a'],
      '/nodes/0/cases/0/when: Unexpected character: $',
    ],
    [{ type: 'join', mode: 'n' }, [''], '/nodes/0/n: n goes with mode "n", and only with it'],
    [{ type: 'join', mode: 'all', n: 1 }, [''], '/nodes/0/n: n goes with mode "n", and only with it'],
    [{ type: 'join', mode: 'any' }, [''], '/nodes/0: only 0 edges lead here'],
    [{ type: 'wait' }, [''], '/nodes/0: a wait needs exactly one of duration, until and event'],
    [
      { type: 'wait', duration: 'PT5S', event: 'x' },
      [''],
      '/nodes/0: a wait needs exactly one of duration, until and event',
    ],
    [
      { type: 'wait', duration: 'PT5S', timeout: 'PT1S' },
      [''],
      '/nodes/0/timeout: only a wait for an event can time out',
    ],
    [{ type: 'wait', duration: 'soon' }, [''], `/nodes/0/duration: ${DURATION}`],
    [{ type: 'map', items: 5, body: body([value('x', 1)]) }, [''], '/nodes/0/items: must be string,array'],
    [{ type: 'map', items: '${input}', body: [] }, [''], '/nodes/0/body: must be object'],
    [{ type: 'map', items: '${input}', body: {} }, [''], "/nodes/0/body: must have required property 'nodes'"],
    [{ type: 'loop', until: 'true', max: 1_001, body: body([value('x', 1)]) }, [''], '/nodes/0/max: must be <= 1000'],
    [
      { type: 'loop', until: '1', max: 1, body: body([value('x', 1)]) },
      [''],
      '/nodes/0/until: has to give true or false, and gives a value of type int',
    ],
    [{ type: 'human', kind: 'vote' }, [], '/nodes/0/kind: must be one of approval, form, questions'],
    [{ type: 'human', kind: 'form' }, ['.submit_input'], '/nodes/0/form: a form needs its JSON Schema'],
    [{ type: 'human', kind: 'form', form: { type: 'x' } }, ['.submit_input'], '/nodes/0/form/type: must be array'],
    [
      { type: 'human', kind: 'questions' },
      [],
      '/nodes/0/questions: questions go with kind "questions", and only with it',
    ],
    [
      { ...approval, questions: questions('a') },
      BOTH,
      '/nodes/0/questions: questions go with kind "questions", and only with it',
    ],
    [
      { type: 'human', kind: 'questions', questions: questions('a', 'a') },
      [],
      '/nodes/0/questions/1/id: question "a" stands here twice',
    ],
    [
      { type: 'human', kind: 'questions', questions: questions('a'), form: {} },
      [],
      '/nodes/0/form: questions have no form',
    ],
    [
      { type: 'human', kind: 'form', form: {}, quorum: 2 },
      ['.submit_input'],
      '/nodes/0/quorum: only an approval can need several people',
    ],
    [
      { ...approval, due: 'P1D', remind: ['PT1H', 'P1D'] },
      [...BOTH, '.timeout'],
      '/nodes/0/remind/1: comes at or after the due time P1D',
    ],
    [
      { ...approval, due: 'P1D', escalate: [{ after: 'P2D', to: ['user:a'] }] },
      [...BOTH, '.timeout'],
      '/nodes/0/escalate/0/after: comes at or after the due time P1D',
    ],
    [{ ...approval, timeout: 'P1D' }, BOTH, '/nodes/0: unknown field "timeout"'],
  ])('%j', (more, ways, problem) => expect(ofNode(more, ...ways)).toContain(problem))
})

describe('expressions', () => {
  test('are read where they stand, all of them', () => {
    const nodes = [
      node('transform', 'a', { with: { value: { x: ['${1 +}'], 'y/z': '${nope}' } } }),
      http('b', { with: { url: 'http://x', headers: { q: '${' } } }),
      human('h', { title: '${foo()}', assignees: ['${bar}'] }),
      loop('l', 'x ==', 2, body([value('c', '${item}')])),
    ]
    const found = problemsOf(nodes, ['a > b', 'b > h', 'h.approve > l', 'h.reject > l'])
    expect(found.map(problem => problem.split(': ', 1)[0])).toEqual([
      '/nodes/0/with/value/x/0',
      '/nodes/0/with/value/y~1z',
      '/nodes/1/with/headers/q',
      '/nodes/2/title',
      '/nodes/2/assignees/0',
      '/nodes/3/until',
      '/nodes/3/body/nodes/0/with/value',
    ])
    expect(found[2]).toBe('/nodes/1/with/headers/q: a "${" is not closed')
  })

  test('read nodes that are over by then', () => {
    const nodes = [
      value('a', 1),
      value('b', '${nodes.a.output}'),
      value('c', '${nodes.b.output} ${nodes.d.output} ${nodes.gone}'),
      value('d', '${nodes["d"].output}'),
    ]
    expect(problemsOf(nodes, ['a > b', 'a > c', 'a > d'])).toEqual([
      '/nodes/2/with/value: nodes.b can\'t be read here: no way leads from "b" to "c"',
      '/nodes/2/with/value: nodes.d can\'t be read here: no way leads from "d" to "c"',
      '/nodes/2/with/value: nodes.gone can\'t be read here: no way leads from "gone" to "c"',
      '/nodes/3/with/value: nodes.d can\'t be read here: no way leads from "d" to "d"',
    ])
  })

  test('see into bodies only from inside, and out of them', () => {
    const inside = body(
      [value('x', '${nodes.a.output} ${item} ${index}'), value('y', '${nodes.x.output} ${nodes.late.output}')],
      ['x > y'],
    )
    const nodes = [value('a', 1), map('m', inside), value('late', '${nodes.x.output} ${nodes.m.output}')]
    expect(problemsOf(nodes, ['a > m', 'm > late'])).toEqual([
      '/nodes/1/body/nodes/1/with/value: nodes.late can\'t be read here: no way leads from "late" to "y"',
      '/nodes/2/with/value: nodes.x can\'t be read here: no way leads from "x" to "late"',
    ])
    const turns = body([value('p', '${iteration} ${has(last.x)}')])
    expect(problemsOf([loop('l', 'nodes.p.output == "x" && last == null && iteration > 1', 3, turns)])).toEqual([])
  })

  test('have no meaning in the schema of an answer', () => {
    expect(ofNode({ type: 'neuron', with: { message: 'hi', schema: { description: '${' } } }, '')).toEqual([])
  })
})

describe('schemas', () => {
  test('are checked where they stand', () => {
    expect(
      problemsOf([value('a', 1)], [], { input: { properties: { a: { pattern: '(' }, b: { $ref: 'x' } } } }),
    ).toEqual([
      expect.stringContaining('/input/properties/a/pattern: error parsing regexp'),
      expect.stringContaining('/input/properties/b/$ref: refers to nothing inside this schema'),
    ])
    expect(problemsOf([value('a', 1)], [], { input: { $async: true } })).toEqual([
      '/input/$async: is not part of JSON Schema',
    ])
  })
})
