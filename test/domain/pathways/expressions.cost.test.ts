import vm from 'node:vm'
import { Environment } from '@marcbachmann/cel-js'
import * as fc from 'fast-check'
import { createEnvironment } from '../../../domain/pathways/expressions/environment.ts'
import { ExpressionError } from '../../../domain/pathways/expressions/expression-error.ts'
import { createCompiler } from '../../../domain/pathways/expressions/expression.ts'
import { Meter } from '../../../domain/pathways/expressions/meter.ts'
import { evaluate } from '../support/evaluate.ts'

/** Returns the cost of one evaluation in units, whether the evaluation succeeds or fails. */
function measureUnits(source: string, input: object): number {
  const meter = new Meter()
  const expression = createCompiler(['input'], meter)(source)
  meter.start()
  try {
    expression.evaluate({ input })
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
  }
  return meter.spent
}

const text = (size: number) => ({ a: 'a'.repeat(size), b: `ab${'a'.repeat(size / 2)}` })
const list = (size: number) => ({ a: Array.from({ length: size }, () => 'a'), b: 'b'.repeat(size) })
const numbers = (size: number) => ({ a: Array.from({ length: size }, () => 1.5) })
const map = (size: number) => ({ a: Object.fromEntries(Array.from({ length: size }, (_, i) => [`k${i}`, i])) })

/** Functions that run in constant time: on scalars, dates, and texts whose length the library or this code limits. */
const CONSTANT = `
  dyn(dyn) type(string) type(bool) type(int) type(uint) type(double) type(map<dyn,dyn>) type(list<dyn>) type(bytes)
  type(null) type(type) type(google.protobuf.Timestamp) type(google.protobuf.Duration) type(OptionalNamespace)
  type(CelNamespace) bool(bool) bytes(bytes) double(double) double(int) double(uint) int(int) int(double) uint(uint)
  uint(int) uint(double) string(string) string(bool) string(int) string(uint) string(double) bytes.at(int)
  timestamp(int) round(dyn) round(dyn,dyn) fixed(dyn,dyn)
  google.protobuf.Timestamp.getDate() google.protobuf.Timestamp.getDate(string)
  google.protobuf.Timestamp.getDayOfMonth() google.protobuf.Timestamp.getDayOfMonth(string)
  google.protobuf.Timestamp.getDayOfWeek() google.protobuf.Timestamp.getDayOfWeek(string)
  google.protobuf.Timestamp.getDayOfYear() google.protobuf.Timestamp.getDayOfYear(string)
  google.protobuf.Timestamp.getFullYear() google.protobuf.Timestamp.getFullYear(string)
  google.protobuf.Timestamp.getHours() google.protobuf.Timestamp.getHours(string)
  google.protobuf.Timestamp.getMilliseconds() google.protobuf.Timestamp.getMilliseconds(string)
  google.protobuf.Timestamp.getMinutes() google.protobuf.Timestamp.getMinutes(string)
  google.protobuf.Timestamp.getMonth() google.protobuf.Timestamp.getMonth(string)
  google.protobuf.Timestamp.getSeconds() google.protobuf.Timestamp.getSeconds(string)
  google.protobuf.Duration.getHours() google.protobuf.Duration.getMinutes() google.protobuf.Duration.getSeconds()
  google.protobuf.Duration.getMilliseconds()
  has(ast)
`

/** Functions that expressions cannot call: `matches` is rejected, and optional types are disabled. */
const REFUSED = `
  string.matches(string) optional<dyn>.hasValue() optional<A>.value() OptionalNamespace.none() OptionalNamespace.of(A)
  optional<dyn>.or(ast) optional<dyn>.orValue(ast)
`

type Grow = (size: number) => object
/** Functions whose time depends on their input, each with an expression that calls it. */
const GROWING: Record<string, [source: string, grow: Grow]> = {
  'bool(string)': ['bool(input.a)', text],
  'size(string)': ['size(input.a)', text],
  'size(bytes)': ['size(bytes(input.a))', text],
  'size(list<dyn>)': ['size(input.a)', list],
  'size(map<dyn,dyn>)': ['size(input.a)', map],
  'string.size()': ['input.a.size()', text],
  'bytes.size()': ['bytes(input.a).size()', text],
  'list<dyn>.size()': ['input.a.size()', list],
  'map<dyn,dyn>.size()': ['input.a.size()', map],
  'bytes(string)': ['bytes(input.a)', text],
  'double(string)': ['double(input.a)', text],
  'int(string)': ['int(input.a)', text],
  'uint(string)': ['uint(input.a)', text],
  'string(bytes)': ['string(bytes(input.a))', text],
  'timestamp(string)': ['timestamp(input.a)', text],
  'duration(string)': ['duration(input.a)', text],
  'string.startsWith(string)': ['input.a.startsWith(input.b)', text],
  'string.endsWith(string)': ['input.a.endsWith(input.b)', text],
  'string.contains(string)': ['input.a.contains(input.b)', text],
  'string.lowerAscii()': ['input.a.lowerAscii()', text],
  'string.upperAscii()': ['input.a.upperAscii()', text],
  'string.trim()': ['input.a.trim()', text],
  'string.indexOf(string)': ['input.a.indexOf(input.b)', text],
  'string.indexOf(string,int)': ['input.a.indexOf(input.b, 1)', text],
  'string.lastIndexOf(string)': ['input.a.lastIndexOf(input.b)', text],
  'string.lastIndexOf(string,int)': ['input.a.lastIndexOf(input.b, size(input.a) - 1)', text],
  'string.substring(int)': ['input.a.substring(1)', text],
  'string.substring(int,int)': ['input.a.substring(1, 2)', text],
  'string.split(string)': ['size(input.a.split("a"))', text],
  'string.split(string,int)': ['size(input.a.split("a", -1))', text],
  'list<string>.join()': ['input.a.join()', list],
  'list<string>.join(string)': ['input.a.join("-")', list],
  'json(dyn)': ['size(json(input.a))', list],
  'sum(dyn)': ['sum(input.a)', numbers],
  'min(dyn)': ['min(input.a)', numbers],
  'max(dyn)': ['max(input.a)', numbers],
  'urlEncode(dyn)': ['size(urlEncode(input.a))', text],
  'bytes.json()': ['bytes(input.a).json()', text],
  'bytes.hex()': ['bytes(input.a).hex()', text],
  'bytes.string()': ['bytes(input.a).string()', text],
  'bytes.base64()': ['bytes(input.a).base64()', text],
  'list<dyn>.all(ast,ast)': ['input.a.all(x, true)', list],
  'list<dyn>.exists(ast,ast)': ['input.a.exists(x, false)', list],
  'list<dyn>.exists_one(ast,ast)': ['input.a.exists_one(x, false)', list],
  'list<dyn>.map(ast,ast)': ['input.a.map(x, 1)', list],
  'list<dyn>.map(ast,ast,ast)': ['input.a.map(x, true, 1)', list],
  'list<dyn>.filter(ast,ast)': ['input.a.filter(x, false)', list],
  'CelNamespace.bind(ast,dyn,ast)': ['cel.bind(x, input.a, true)', list],
}

const OPERATORS: [source: string, grow: Grow][] = [
  ['input.a == input.b', text],
  ['input.a == [input.b]', list],
  ['input.a == {"a": 1}', map],
  ['input.a < input.b', text],
  ['(input.a + input.b) == ""', text],
  ['size(input.a + input.a)', list],
  ['"x" in input.a', list],
  ['{"x": 1} in input.a', list],
  ['bytes(input.a) == bytes(input.b)', text],
  ['size(bytes(input.a) + bytes(input.b))', text],
  ['{"a": 1}[input.a]', list],
]

const compact = (signatures: string): string[] => signatures.trim().split(/\s+/)

test('the cost of every library function has been reviewed', () => {
  const offered = createEnvironment([])
    .getDefinitions()
    .functions.map(({ signature }) => signature)
  const names = offered.map(signature => signature.slice(0, signature.indexOf('):') + 1).replaceAll(', ', ','))
  expect(names.toSorted()).toEqual([...compact(CONSTANT), ...compact(REFUSED), ...Object.keys(GROWING)].toSorted())
})

const SMALL = 2_000
const FACTOR = 20
const isCharged = (source: string, grow: Grow): void => {
  const [small, large] = [SMALL, SMALL * FACTOR].map(size => measureUnits(source, grow(size))) as [number, number]
  // Some units do not depend on the input, for example the units charged for an error.
  expect(large - small).toBeGreaterThanOrEqual((SMALL * (FACTOR - 1)) / 32)
}

test.each(Object.entries(GROWING))('the cost of %s grows with its input', (_name, [source, grow]) =>
  isCharged(source, grow),
)

test.each(OPERATORS)('the cost of %s grows with its operands', isCharged)

describe('repeated use of the same expression', () => {
  /** Expressions that no other test has compiled. */
  const sources = [...Object.values(GROWING), ...OPERATORS].map(([source, grow]) => [`${source}  `, grow] as const)

  test.each(sources)('costs as much for %s as the first use', (source, grow) => {
    const first = measureUnits(source, grow(64))
    for (const other of [text(64), list(64), map(64), {}, { a: 1, b: null }]) measureUnits(source, other)
    expect(measureUnits(source, grow(64))).toBe(first)
  })

  test('returns its own result at the same cost after an interrupted evaluation', () => {
    const source = 'input.list.map(x, input.a + x)[1]'
    const input = { list: [1, 2], a: 1 }
    const units = measureUnits(source, input)
    const endless = {
      list: [1, 2],
      get a(): never {
        for (;;);
      },
    }
    const context = vm.createContext({ evaluate: () => evaluate(source, { input: endless }) })
    expect(() => vm.runInContext('evaluate()', context, { timeout: 50 })).toThrow('timed out')
    expect(evaluate(source, { input })).toBe(3)
    expect(measureUnits(source, input)).toBe(units)
  })
})

describe('the cost exceeds the sum of the operands', () => {
  const thousand = Array.from({ length: 1_000 }, () => ({}))
  const table = map(1_000).a

  test.each<[string, object, number]>([
    ['input.list.join(input.text) == ""', { list: thousand.map(() => ''), text: 'x'.repeat(32_000) }, 1_000_000],
    ['input.table in input.list', { list: thousand, table }, 1_000_000],
    ['[input.table] in input.list', { list: thousand.map(part => [part]), table }, 1_000_000],
    ['input.text.split("")[0] == ""', { text: 'x'.repeat(32_000) }, 32_000],
    ['input.text.split("x")[0] == ""', { text: 'x'.repeat(32_000) }, 32_000],
    ['bytes(input.text).hex() == ""', { text: 'x'.repeat(32_000) }, 32_000],
  ])('of %s', (source, input, units) => expect(measureUnits(source, input)).toBeGreaterThanOrEqual(units))

  test('except for a map lookup, which is cheap', () => {
    expect(measureUnits('"k5" in input.a', map(50_000))).toBeLessThan(20)
    expect(measureUnits('input.a["k5"]', map(50_000))).toBeLessThan(20)
  })
})

describe('functions with custom implementations', () => {
  const library = new Environment({ unlistedVariablesAreDyn: true })
  const compare = (source: string, values: Record<string, unknown>): void => {
    const attempt = (work: () => unknown): unknown => {
      try {
        return work()
      } catch {
        return 'fails'
      }
    }
    const own = attempt(() => evaluate(source, { input: values }))
    const theirs = attempt(() => library.evaluate(source, { input: withoutPairs(values) }))
    expect(withoutPairs(own)).toEqual(typeof theirs === 'bigint' ? Number(theirs) : theirs)
  }
  /** The library counts a surrogate pair as two characters. */
  const withoutPairs = <T>(value: T): T => JSON.parse(JSON.stringify(value).replaceAll('😀', '☺'))
  const repetitive = (maxLength: number) => fc.string({ unit: fc.constantFrom('a', 'b', '😀'), maxLength })

  test('find and split text as the library does', () => {
    const searches = [
      'input.a.contains(input.b)',
      'input.a.indexOf(input.b)',
      'input.a.lastIndexOf(input.b)',
      'input.a.indexOf(input.b, int(input.at))',
      'input.a.lastIndexOf(input.b, int(input.at))',
      'input.a.split(input.b)',
      'input.a.split(input.b, int(input.at))',
      'input.a.substring(int(input.at))',
      'input.a.substring(int(input.at), int(input.at) + 3)',
      'input.a.size()',
    ]
    const agrees = fc.property(
      fc.array(repetitive(12), { maxLength: 6 }),
      fc.oneof(repetitive(3), repetitive(30)),
      fc.integer({ min: -2, max: 40 }),
      (parts, b, at) => {
        for (const a of [parts.join(b), parts.join('')]) for (const source of searches) compare(source, { a, b, at })
      },
    )
    fc.assert(agrees, { numRuns: 400 })
  })

  test('parse durations as the library does', () => {
    const part = fc.tuple(
      fc.constantFrom('', '0', '1', '12', '1.5', '.25', '7.', '0.1234567890123456', '.'),
      fc.constantFrom('h', 'm', 's', 'ms', 'us', 'µs', 'ns', '', 'x'),
    )
    const agrees = fc.property(
      fc.constantFrom('', '-', '+', '--'),
      fc.array(
        part.map(([number, unit]) => number + unit),
        { maxLength: 4 },
      ),
      (sign, parts) => {
        const a = sign + parts.join('')
        fc.pre(a.length <= 64)
        for (const name of ['getHours', 'getSeconds', 'getMilliseconds']) compare(`duration(input.a).${name}()`, { a })
        compare('duration(input.a) == duration("1.5s") || duration(input.a) > duration("1h")', { a })
      },
    )
    fc.assert(agrees, { numRuns: 1_000 })
  })

  test.each([
    ['duration("1x")', 'duration("1x"): duration() requires a text such as "1h30m" or "1.5s", not "1x"'],
    [`duration("${'1s'.repeat(33)}")`, 'duration() requires a text of at most 64 characters, not 66'],
    ['bytes(input.deep).json()', 'json() requires a value with at most 200 levels'],
  ])('%s reports which arguments it expects', (source, message) => {
    const input = { deep: `${'['.repeat(300)}${']'.repeat(300)}` }
    expect(() => evaluate(source, { input })).toThrow(message)
  })
})

describe('an expression is rejected by the compiler', () => {
  const bind = (count: number, step: (name: string) => string): string =>
    count === 0 ? 'x' : `cel.bind(x, ${step('x')}, ${bind(count - 1, step)})`

  test.each([
    [
      'whose type doubles',
      `cel.bind(x, {1: 1}, ${bind(20, x => `{${x}: ${x}}`)})`,
      'lists and maps are nested too deeply',
    ],
    ['with a chain of operators', `${'!'.repeat(600)}true`, 'must have at most 500 operators in a row'],
    ['with a huge integer', `1 + ${'9'.repeat(100)}`, 'an integer must have at most 64 bits: 9999'],
  ])('%s', (_name, source, message) => expect(() => evaluate(source)).toThrow(message))

  test.each([
    ['-9223372036854775808 < 0', true],
    [Array.from({ length: 400 }, () => '1').join(' + '), 400],
    [`${'['.repeat(50)}1${']'.repeat(50)} == []`, false],
  ])('but not %s', (source, expected) => expect(evaluate(source)).toBe(expected))
})

test('an error message quotes only a part of a long value', () => {
  const input = { a: 'a'.repeat(100_000) }
  expect(() => evaluate('input[input.a]', { input })).toThrow(/^.{1,400}$/)
})

test('field names count towards the text in a result', () => {
  const input = { list: Array.from({ length: 100 }, () => 1), wide: { ['k'.repeat(100_000)]: 1 } }
  expect(() => evaluate('input.list.map(x, input.wide)', { input })).toThrow('the result is too long')
})
