import { validateDefinition } from '../../../domain/pathways/validate.ts'
import { body, http, human, loop, map, node, value } from '../support/builders.ts'
import { ofNode, problems, listProblems } from '../support/problems.ts'

describe('a definition', () => {
  test('that is valid is returned unchanged', () => {
    const definition = { schema: 'pathway/1', input: { type: 'object' }, nodes: [value('a', 1)], edges: [] }
    expect(validateDefinition(definition)).toEqual({ ok: true, definition, warnings: [] })
  })

  test.each<[unknown, string]>([
    [undefined, ': must be an object'],
    [null, ': must be an object'],
    [[], ': must be an object'],
    ['pathway/1', ': must be an object'],
    [{}, ': must have the field "nodes"'],
    [{ schema: 'pathway/2', nodes: [], edges: [] }, '/schema: must be "pathway/1"'],
    [{ schema: 'pathway/1', nodes: [], edges: [] }, '/nodes: must have at least 1 entry'],
    [{ schema: 'pathway/1', nodes: {}, edges: [] }, '/nodes: must be a list'],
    [{ schema: 'pathway/1', nodes: [null], edges: [] }, '/nodes/0: must be an object'],
    [{ schema: 'pathway/1', nodes: [{ id: 'a' }], edges: [] }, '/nodes/0: must have the field "type"'],
    [{ schema: 'pathway/1', nodes: [value('a', 1)], edges: [{ from: 'a' }] }, '/edges/0: must have the field "to"'],
    [{ schema: 'pathway/1', nodes: [value('a', 1)], edges: [], extra: 1 }, ': must not have the field "extra"'],
    [{ schema: 'pathway/1', nodes: [value('a', 1)], edges: [], input: true }, '/input: must be an object'],
  ])('%j is rejected', (raw, problem) => expect(problems(raw)).toContain(problem))

  test('gets error pointers relative to the request', () => {
    const checked = validateDefinition(
      { schema: 'pathway/1', nodes: [{ id: 'a', type: 'http' }], edges: [] },
      { at: '/definition' },
    )
    expect(checked).toMatchObject({ problems: [{ pointer: '/definition/nodes/0' }] })
  })

  test('with ten thousand nodes is rejected immediately, even if the nodes are in bodies', () => {
    const many = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => value(`${prefix}${i}`, i))
    expect(listProblems(many('a', 10_000))).toEqual([
      '/nodes: must have at most 500 nodes, including those in bodies, not 10000',
    ])
    expect(listProblems(many('a', 300).concat(map('m', body(many('b', 300)))))).toEqual([
      '/nodes: must have at most 500 nodes, including those in bodies, not 601',
    ])
    expect(
      listProblems(
        [value('a', 1)],
        Array.from({ length: 3_000 }, () => 'a > a'),
      ),
    ).toEqual(['/edges: must have at most 2000 entries'])
  })

  test('with five hundred nodes is checked quickly', () => {
    const nodes = Array.from({ length: 500 }, (_, i) => value(`n${i}`, i > 0 ? `\${nodes.n${i - 1}.output}` : 1))
    const lines = nodes
      .slice(1)
      .flatMap((_, i) => [1, 2, 3].flatMap(step => (i + step < 500 ? [`n${i} > n${i + step}`] : [])))
    expect(listProblems(nodes, lines)).toEqual([])
  })

  test('that is nested endlessly is rejected', () => {
    let deep: unknown = 1
    for (let i = 0; i < 50_000; i++) deep = { a: [deep] }
    expect(listProblems([node('transform', 'a', { with: { value: deep } })])).toEqual([
      ': must be at most 200 levels deep',
    ])
    let inside = value('x', 1)
    for (let i = 0; i < 4; i++) inside = map(`m${i}`, body([inside]))
    expect(listProblems([inside])).toEqual([
      '/nodes/0/body/nodes/0/body/nodes/0/body/nodes/0/body: bodies must be nested at most 3 levels deep',
    ])
  })

  test('is rejected with all of its problems at once', () => {
    const nodes = [
      http('a', { with: { url: 'ftp://x' } }),
      http('a', { timeout: 'soon' }),
      human('h'),
      node('telepathy', 's', {}),
      node('nope', 'x', {}),
    ]
    expect(listProblems(nodes, ['a > gone', 'a.odd > h'])).toEqual([
      '/nodes/1/timeout: must be an ISO 8601 duration of weeks, days, hours, minutes or seconds, such as PT5M',
      expect.stringMatching('^/nodes/3/type: must be one of transform'),
      expect.stringContaining('/nodes/4/type: must be one of transform, switch'),
    ])
    expect(
      listProblems([...nodes.slice(0, 1), http('a'), human('h')], ['a > gone', 'a.odd > h', 'a > h', 'h > a']),
    ).toEqual([
      '/edges/0/to: there is no node "gone" in this graph',
      '/edges/1/on: "a" has no port "odd"; it has default, error',
      '/edges/3/on: "h" has no port "default"; it has approve, reject, error',
      '/edges/3: closes a cycle: a -> h -> a; use a loop node to repeat steps',
      '/nodes/2: "h" has no edge on "approve": the run could not continue from there',
      '/nodes/2: "h" has no edge on "reject": the run could not continue from there',
      '/nodes/0/with/url: must be an http or https URL',
      '/nodes/1/id: "a" is also the id of /nodes/0',
    ])
  })
})

describe('ids', () => {
  test.each(['', '1a', 'a b', 'a.b', 'a/b', 'a[0]', 'ä', 'a'.repeat(65), '__proto__', 'a\n'])(
    '"%s" is not a valid id',
    id => {
      expect(listProblems([value(id, 1)])).toEqual([expect.stringContaining('/nodes/0/id: must match the pattern')])
    },
  )

  test.each(['constructor', 'toString', 'hasOwnProperty', 'valueOf'])(
    '%s is rejected, because every object has a property with this name',
    id => {
      expect(listProblems([value('a', 1), value(id, 1)], [`a > ${id}`])).toEqual([
        `/nodes/1/id: "${id}" must not be the id of a node`,
      ])
    },
  )

  test('are unique across all bodies', () => {
    expect(listProblems([value('a', 1), map('m', body([value('a', 1)]))], ['a > m'])).toEqual([
      '/nodes/1/body/nodes/0/id: "a" is also the id of /nodes/0',
    ])
  })
})

describe('expressions', () => {
  test('are all checked, with the location of each error', () => {
    const nodes = [
      node('transform', 'a', { with: { value: { x: ['${1 +}'], 'y/z': '${nope}' } } }),
      http('b', { with: { url: 'http://x', headers: { q: '${' } } }),
      human('h', { title: '${foo()}', assignees: ['${bar}'] }),
      loop('l', 'x ==', 2, body([value('c', '${item}')])),
    ]
    const found = listProblems(nodes, ['a > b', 'b > h', 'h.approve > l', 'h.reject > l'])
    expect(found.map(problem => problem.split(': ', 1)[0])).toEqual([
      '/nodes/0/with/value/x/0',
      '/nodes/0/with/value/y~1z',
      '/nodes/1/with/headers/q',
      '/nodes/2/title',
      '/nodes/2/assignees/0',
      '/nodes/3/until',
      '/nodes/3/body/nodes/0/with/value',
    ])
    expect(found[2]).toBe('/nodes/1/with/headers/q: a "${" has no closing "}"')
  })

  test('can read only completed nodes', () => {
    const nodes = [
      value('a', 1),
      value('b', '${nodes.a.output}'),
      value('c', '${nodes.b.output} ${nodes.d.output} ${nodes.gone}'),
      value('d', '${nodes["d"].output}'),
    ]
    expect(listProblems(nodes, ['a > b', 'a > c', 'a > d'])).toEqual([
      '/nodes/2/with/value: nodes.b cannot be read here: no path leads from "b" to "c"',
      '/nodes/2/with/value: nodes.d cannot be read here: no path leads from "d" to "c"',
      '/nodes/2/with/value: there is no node "gone"',
      '/nodes/3/with/value: nodes.d cannot be read here: no path leads from "d" to "d"',
    ])
  })

  test('can read only input fields that the schema defines', () => {
    const bank = { type: 'object', properties: { iban: {} }, additionalProperties: false }
    const properties = { company: { type: 'string' }, bank, open: { properties: { a: {} } }, list: { items: bank } }
    const found = (source: string, more: object = {}) =>
      listProblems([value('a', source)], [], {
        input: { type: 'object', properties, additionalProperties: false, ...more },
      })
    const own = '; its schema has company, bank, open, list'
    expect(found('${input.cmpany} and ${input["citty"]}')).toEqual([
      `/nodes/0/with/value: input has no field "cmpany"${own}`,
      `/nodes/0/with/value: input has no field "citty"${own}`,
    ])
    expect(found('${input.bank.ibn.size()}')).toEqual([
      '/nodes/0/with/value: input.bank has no field "ibn"; its schema has iban',
    ])
    expect(found('${input.list.filter(x, x == input.wanted)}')).toEqual([
      `/nodes/0/with/value: input has no field "wanted"${own}`,
    ])
    for (const fine of [
      '${input.company} ${input.bank.iban} ${input.open.b.c} ${input.list[0].a} ${input[input.company]} ${input}',
      '${has(input.cmpany)}',
      '${input.list.map(input, input.cmpany)}',
    ])
      expect(found(fine)).toEqual([])
    expect(found('${input.cmpany}', { additionalProperties: {} })).toEqual([])
    expect(found('${input.cmpany}', { patternProperties: { '^c': {} } })).toEqual([])
    expect(listProblems([value('a', '${input.cmpany}')], [], { input: { properties } })).toEqual([])
    const inside = [map('m', body([value('a', '${input.cmpany}')]), { items: '${input.list}' })]
    expect(listProblems(inside, [], { input: { properties, additionalProperties: false } })).toEqual([
      `/nodes/0/body/nodes/0/with/value: input has no field "cmpany"${own}`,
    ])
  })

  test('can read a body only from inside it, and can read outer nodes from inside a body', () => {
    const inside = body(
      [value('x', '${nodes.a.output} ${item} ${index}'), value('y', '${nodes.x.output} ${nodes.late.output}')],
      ['x > y'],
    )
    const nodes = [value('a', 1), map('m', inside), value('late', '${nodes.x.output} ${nodes.m.output}')]
    expect(listProblems(nodes, ['a > m', 'm > late'])).toEqual([
      '/nodes/1/body/nodes/1/with/value: nodes.late cannot be read here: no path leads from "late" to "y"',
      '/nodes/2/with/value: nodes.x cannot be read here: no path leads from "x" to "late"',
    ])
    const turns = body([value('p', '${iteration} ${has(last.x)}')])
    expect(listProblems([loop('l', 'nodes.p.output == "x" && last == null && iteration > 1', 3, turns)])).toEqual([])
  })

  test('are not evaluated inside an answer schema', () => {
    expect(ofNode({ type: 'neuron', with: { message: 'hi', schema: { description: '${' } } }, '')).toEqual([])
  })
})

describe('schemas', () => {
  test('are checked, with the location of each error', () => {
    expect(
      listProblems([value('a', 1)], [], { input: { properties: { a: { pattern: '(' }, b: { $ref: 'x' } } } }),
    ).toEqual([
      expect.stringContaining('/input/properties/a/pattern: error parsing regexp'),
      expect.stringContaining('/input/properties/b/$ref: must refer to a definition inside this schema'),
    ])
    expect(listProblems([value('a', 1)], [], { input: { $async: true } })).toEqual([
      '/input/$async: must not be set: it is not part of JSON Schema',
    ])
  })
})
