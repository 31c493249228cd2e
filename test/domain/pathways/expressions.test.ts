import { ExpressionError } from '../../../domain/pathways/expressions/expression-error.ts'
import type { JsonObject } from '../../../domain/shared/json/json.ts'
import { compile, evaluate } from '../support/evaluate.ts'

const scope = {
  input: {
    n: 5,
    half: 2.5,
    text: 'a',
    none: null,
    list: [1, 2],
    things: [{ id: 1 }],
    named: [{ id: 'x' }],
    deep: { a: { b: 1 } },
  },
  nodes: {},
  run: { id: 'r' },
  index: 3,
}

const failure = (source: string, values: object = scope): unknown => {
  try {
    return evaluate(source, { ...values })
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    return error.code
  }
}

test.each([
  ['encodeURIComponent(input.q)', 'there is no function "encodeURIComponent"'],
  ['input.list.map(x, input.text.encode(x))', 'there is no function "encode"'],
  ['size(1, 2)', "found no matching overload for 'size(int, int)'"],
])('%s is rejected: %s', (source, message) => expect(() => compile(source)).toThrow(message))

describe('values', () => {
  test.each([
    ['input.list', [1, 2]],
    ['input.deep', { a: { b: 1 } }],
    ['input.none', null],
    ['[1, "a", 2.5, null, true]', [1, 'a', 2.5, null, true]],
    ['{"a": input.n, "b": [input.text]}', { a: 5, b: ['a'] }],
    ['input.list + [3]', [1, 2, 3]],
    ['input.things + input.named', [{ id: 1 }, { id: 'x' }]],
    ['uint(5)', 5],
    ['duration("90s")', '90s'],
    ['duration("1500ms")', '1.5s'],
    ['timestamp("2024-01-01T00:00:00Z")', '2024-01-01T00:00:00.000Z'],
    ['timestamp("2024-01-01T00:00:00Z") + duration("36h")', '2024-01-02T12:00:00.000Z'],
    ['timestamp("2024-01-01T10:00:00Z").getHours("Europe/Berlin")', 11],
    ['"a,b".split(",").map(x, x + "!")', ['a!', 'b!']],
    ['cel.bind(x, 5, x * x)', 25],
    ['urlEncode("b&c d/ü") + urlEncode(input.n)', 'b%26c%20d%2F%C3%BC5'],
    ['json({"a": [input.n, timestamp("2024-01-01T00:00:00Z")]})', '{"a":[5,"2024-01-01T00:00:00.000Z"]}'],
    ['bytes(json(input.deep)).json()', { a: { b: 1 } }],
    ['sum([])', 0],
    ['sum([1, 2, 3])', 6],
    ['sum(input.list) + sum([0.5, 1])', 4.5],
    ['min([3, 1.5, 2])', 1.5],
    ['max(input.list)', 2],
    ['round(2.5)', 3],
    ['round(-2.5)', -3],
    ['round(1.005, 2)', 1.01],
    ['round(-1.005, 2)', -1.01],
    ['round(0.1 + 0.2, 2)', 0.3],
    ['round(1e300, 2)', 1e300],
    ['round(1e-7, 2)', 0],
    ['round(-0.001, 2)', 0],
    ['round(7)', 7],
    ['fixed(1234.5, 2)', '1234.50'],
    ['fixed(1.005, 2)', '1.01'],
    ['fixed(-0.001, 2)', '0.00'],
    ['fixed(7, 0) + " " + fixed(7, 1)', '7 7.0'],
    ['fixed(input.n, 2)', '5.00'],
  ])('%s returns JSON', (source, expected) => expect(evaluate(source, scope)).toEqual(expected))

  test.each([
    'type(1)',
    'urlEncode(input.list)',
    'urlEncode(null)',
    'json(type(1))',
    'sum("12")',
    'sum([1, "2"])',
    'sum([9223372036854775807, 1])',
    'min([])',
    'max(input.deep)',
    'round("2")',
    'round(1.5, 99)',
    'round(1.0 / 0.0)',
    'fixed(1.5, 0.5)',
    'fixed(1e30, 2)',
    'google',
    '1.0 / 0.0',
    'input.n / 0',
    'double("nan")',
    'timestamp("2024-01-01T00:00:00Z") - duration("9999999999999s")',
  ])('%s cannot be converted to JSON, and reports this', source => expect(failure(source)).toBe('EXPRESSION_FAILED'))

  test.each([
    '9223372036854775807',
    '-9007199254740993',
    '[1, 9007199254740992]',
    '{"a": 18446744073709551615u}',
    'input.n > 1 ? 0 : 9007199254740992',
    'b"abc"',
  ])('%s always fails, so it is rejected without evaluation', source =>
    expect(failure(source)).toBe('EXPRESSION_INVALID'),
  )

  test.each([
    ['1 + 2 * input.n', 11],
    ['1 + size([1]) * input.half', 3.5],
    ['2 * (1 - input.n) + 0.5', -7.5],
    ['input.n + 1', 6],
    ['1 + input.n', 6],
    ['input.n * 1.5', 7.5],
    ['input.n - input.half', 2.5],
    ['input.n / 2', 2.5],
    ['5 / 2', 2],
    ['input.n % 2', 1],
    ['index % 2 == 0', false],
    ['7.5 % 2.0', 1.5],
    ['input.n > 4 && input.n <= 5', true],
    ['size(input.list) * 1.5', 3],
    ['input.list[1]', 2],
    ['input.list[size(input.list) - 1]', 2],
    ['input.n == 5', true],
    ['5 == input.n', true],
    ['input.n in [1, 5]', true],
    ['-input.n', -5],
    ['int("12") + 1', 13],
    ['9007199254740991', 9007199254740991],
  ])('integers and decimals can be mixed: %s', (source, expected) => expect(evaluate(source, scope)).toBe(expected))

  test.each([
    ['input.n == "x"', false],
    ['input.none == "x"', false],
    ['input.none == null', true],
    ['input.text != 3', true],
    ['input.list == null', false],
    ['input.deep == {"a": {"b": 1}}', true],
  ])('values of any two types can be compared: %s', (source, expected) =>
    expect(evaluate(source, scope)).toBe(expected),
  )

  test('that are too large for JSON, too long or too deeply nested are rejected', () => {
    expect(failure('9223372036854775807 - 1')).toBe('EXPRESSION_FAILED')
    expect(failure('input.big.map(x, input.big)', { input: { big: Array(500).fill(0) } })).toBe('EXPRESSION_FAILED')
    let deep: unknown = 1
    for (let i = 0; i < 5_000; i++) deep = [deep]
    expect(failure('input', { input: deep })).toBe('EXPRESSION_FAILED')
    expect(failure('input.text + input.text', { input: { text: 'x'.repeat(5_000_000) } })).toBe('EXPRESSION_FAILED')
  })
})

describe('a missing value', () => {
  test('fails, unless has() tests for it', () => {
    expect(failure('input.missing')).toBe('EXPRESSION_FAILED')
    expect(failure('input.none.x')).toBe('EXPRESSION_FAILED')
    expect(failure('input.list[9]')).toBe('EXPRESSION_FAILED')
    expect(failure('input', {})).toBe('EXPRESSION_FAILED')
    expect(evaluate('has(input.missing)', scope)).toBe(false)
    expect(evaluate('has(input.deep.a.b)', scope)).toBe(true)
    expect(evaluate('has(input.deep) && has(input.deep.x)', scope)).toBe(false)
    expect(evaluate('"n" in input', scope)).toBe(true)
  })

  test.each([
    'input.constructor',
    'input.__proto__',
    'input["__proto__"]',
    'input.toString',
    'nodes.constructor',
    'nodes.x.constructor',
    'input.list.constructor',
    'input.text.length',
    'input.list.length',
    'input.deep.constructor.name',
    'item.constructor',
  ])('%s is missing', source =>
    expect(failure(source, { ...scope, nodes: { x: { status: 'done' } }, item: {} })).toBe('EXPRESSION_FAILED'),
  )

  test('prototype names in data cause no errors', () => {
    const input: unknown = JSON.parse('{"__proto__": {"polluted": 1}, "hasOwnProperty": 2, "a": {"valueOf": 3}}')
    expect(evaluate('input.hasOwnProperty', { input })).toBe(2)
    expect(evaluate('input.a', { input })).toEqual({ valueOf: 3 })
    expect(failure('input.polluted', { input })).toBe('EXPRESSION_FAILED')
    expect(JSON.stringify(evaluate('input', { input }))).toBe(JSON.stringify(input))
    expect(JSON.stringify(evaluate('{"__proto__": 1, "a": 2}', { input }))).toBe('{"__proto__":1,"a":2}')
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
  })
})

describe('static checks', () => {
  test.each([
    '1 +',
    'nope',
    'input.',
    '1 + "a"',
    'input.n > 3 ? "big" : 5',
    'foo(1)',
    '"a" < 1',
    '',
    '{',
    'a'.repeat(5_000),
    `${'('.repeat(1_500)}1${')'.repeat(1_500)}`,
    `${'['.repeat(100)}${']'.repeat(100)}`,
  ])('%# is rejected by the compiler', source =>
    expect(() => compile(source)).toThrow(expect.objectContaining({ code: 'EXPRESSION_INVALID' })),
  )

  test.each([
    'input.text.matches("^a+$")',
    '"a".matches(input.text)',
    '[input.text].all(x, x.matches("a"))',
    'has(input.a) && "a".matches("(a+)+$")',
  ])('%s is rejected because it would backtrack', source =>
    expect(() => compile(source)).toThrow('matches() is not available'),
  )

  test.each(['nodes', 'size(nodes)', 'nodes[input.text]', 'nodes.map(n, n)', 'input.list.map(x, nodes[x])'])(
    '%s is rejected, because it does not tell which nodes it reads',
    source => expect(() => compile(source)).toThrow('nodes must be read by id'),
  )

  test('static checks return the nodes that an expression reads, and its type', () => {
    const { nodes, type } = compile(
      'has(nodes.a.output) ? nodes["b-c"].output.x > 1 : input.list.exists(x, x == nodes.d.output)',
    )
    expect(nodes.toSorted()).toEqual(['a', 'b-c', 'd'])
    expect(type).toBe('bool')
    expect(compile('input.n').type).toBe('dyn')
  })
})

describe('slow expressions', () => {
  const list = Array.from({ length: 3_000 }, (_, i) => i)
  const input = {
    list,
    long: Array.from({ length: 900_000 }, (_, i) => i),
    text: 'a'.repeat(1_000_000),
    things: list.map(id => ({ id, tags: ['a', 'b'] })),
  }

  test.each([
    'input.list.map(x, input.list.map(y, x * y))',
    'input.list.all(x, input.list.all(y, x * y >= 0))',
    'input.list.filter(x, input.list.filter(y, x == y) == [])',
    'input.long.all(x, x >= 0)',
    'input.list.all(x, input.list.all(y, input.missing == 1))',
    'input.list.all(x, input.text.split("")[0] == "a")',
    'input.list.all(x, (input.text + "x").size() > 0)',
    'input.list.all(x, bytes(input.text).size() > 0)',
    'input.list.map(x, input.text.lowerAscii())',
    'input.things.filter(a, input.things.exists(b, a != b && b.id < 0))',
    'input.list.filter(x, x in input.list)',
    'input.list.map(x, input.list.map(y, timestamp("2024-01-01T00:00:00Z").getHours("Europe/Berlin")))',
    'cel.bind(a, input.list + input.list, cel.bind(b, a + a, cel.bind(c, b + b, cel.bind(d, c + c, d.map(x, d)))))',
    'input.list.exists(x, input.list.map(y, input.list.map(z, z)) == []) || true',
  ])('%s fails as too costly', source => {
    expect(failure(source, { input })).toBe('EXPRESSION_TOO_COSTLY')
  })

  test('the same work costs the same every time', () => {
    const source = 'input.list.map(x, x + 1).filter(x, x % 2 == 0)'
    expect(evaluate(source, { input })).toEqual(evaluate(source, { input }))
  })
})

describe('text is counted in characters', () => {
  const text = { ...scope, input: { text: '😀ab😀c' } }
  test.each([
    ['input.text.size()', 5],
    ['input.text.substring(0, 1)', '😀'],
    ['input.text.substring(3)', '😀c'],
    ['input.text.indexOf("a")', 1],
    ['input.text.indexOf("😀", 1)', 3],
    ['input.text.lastIndexOf("😀")', 3],
    ['input.text.lastIndexOf("😀", 2)', 0],
    ['input.text.split("")', ['😀', 'a', 'b', '😀', 'c']],
    ['input.text.split("", 2)', ['😀', 'ab😀c']],
  ])('%s', (source, expected) => expect(evaluate(source, text)).toEqual(expected))

  test('a result contains no characters that cannot be stored', () => {
    const input = { half: '\ud83d', zero: 'a\0b', '\udc00': 1 }
    expect(evaluate('[input.half, input.zero + input.half]', { ...scope, input })).toEqual(['\ufffd', 'a\ufffdb\ufffd'])
    expect(evaluate('input', { ...scope, input })).toEqual({ half: '\ufffd', zero: 'a\ufffdb', '\ufffd': 1 })
  })
})

describe('data stays data, whatever its keys', () => {
  const input: JsonObject = { a: { constructor: 'k', b: 1 }, list: [{ constructor: { x: 1 } }, { y: 2 }] }
  test.each([
    ['input', input],
    ['input.a.constructor', 'k'],
    ['input.list[0].constructor.x', 1],
    ['input.list.map(x, has(x.y))', [false, true]],
    ['size(input.a)', 2],
    ['"constructor" in input.a', true],
    ['input.a == {"b": 1, "constructor": "k"}', true],
    ['input.list == [{"constructor": {"x": 1}}, {"y": 2}]', true],
    ['input.a.map(key, input.a[key])', ['k', 1]],
    ['json(input.a)', '{"constructor":"k","b":1}'],
    ['{"constructor": {"constructor": input.a}}', { constructor: { constructor: input.a } }],
    ['{"prototype": 1}', { prototype: 1 }],
  ])('%s', (source, expected) => expect(evaluate(source, { ...scope, input })).toEqual(expected))

  test('including an object at the root', () =>
    expect(evaluate('input.constructor', { ...scope, input: { constructor: 'k' } })).toBe('k'))
})

test.each(['timestamp("2027-02-30T10:00:00Z")', 'timestamp("9999-12-31T23:59:59Z") + duration("24h")'])(
  '%s is not a valid time',
  source => expect(failure(source)).toBe('EXPRESSION_FAILED'),
)
