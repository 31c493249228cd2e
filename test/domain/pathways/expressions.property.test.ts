import * as fc from 'fast-check'
import { ExpressionError } from '../../../domain/pathways/expressions/expression-error.ts'
import type { JsonValue } from '../../../domain/shared/json/json.ts'
import { compile, evaluate, fill, templateProblems } from '../support/evaluate.ts'

const NAMES = [
  'input',
  'input.a',
  'input.b',
  'nodes.x.output',
  'nodes.y',
  'item',
  'index',
  'run.id',
  'x',
  'input.__proto__',
  'constructor',
]
const LITERALS = [
  '1',
  '0',
  '-3',
  '2.5',
  '"a"',
  "'}'",
  'null',
  'true',
  '[]',
  '{}',
  '[1, "b", null]',
  '{"k": 2, "__proto__": 3}',
  'b"q"',
  '9223372036854775807',
  '1e308',
  'duration("1.5s")',
  'timestamp("2024-01-01T00:00:00Z")',
  'uint(3)',
]

/** Expressions that mostly parse and sometimes make sense. */
const { expression } = fc.letrec<{ expression: string }>(tie => {
  const part = tie('expression')
  const binary = fc.constantFrom('+', '-', '*', '/', '%', '==', '!=', '<', '>=', '&&', '||', 'in')
  const macro = fc.constantFrom('map', 'filter', 'all', 'exists', 'exists_one')
  const method = fc.constantFrom(
    'size()',
    'split(",")',
    'join()',
    'upperAscii()',
    'getHours()',
    'contains("a")',
    'substring(1)',
    'string()',
    'json()',
  )
  const call = fc.constantFrom(
    'size',
    'string',
    'int',
    'double',
    'bool',
    'type',
    'dyn',
    'timestamp',
    'duration',
    'bytes',
    'uint',
  )
  return {
    expression: fc.oneof(
      { maxDepth: 5, depthSize: 'small', withCrossShrink: true },
      fc.constantFrom(...NAMES, ...LITERALS),
      fc.tuple(part, binary, part).map(([a, op, b]) => `(${a} ${op} ${b})`),
      fc.tuple(part, macro, part).map(([a, name, b]) => `${a}.${name}(x, ${b})`),
      fc.tuple(part, method).map(([a, name]) => `${a}.${name}`),
      fc.tuple(call, part).map(([name, a]) => `${name}(${a})`),
      fc.tuple(part, part, part).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
      fc.tuple(part, part).map(([a, b]) => `${a}[${b}]`),
      fc.tuple(part, fc.constantFrom('k', 'constructor', 'length')).map(([a, key]) => `${a}.${key}`),
      fc.tuple(part, part).map(([a, b]) => `[${a}, ${b}]`),
      fc.tuple(part, part).map(([a, b]) => `{${a}: ${b}}`),
      part.map(a => `cel.bind(x, ${a}, x)`),
      part.map(a => `has(${a})`),
      part.map(a => `-${a}`),
    ),
  }
})

const json = fc.jsonValue({ maxDepth: 4 }).map(value => value as JsonValue)

function onlyKnownErrors(work: () => unknown): void {
  try {
    work()
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
  }
}

describe('any expression', () => {
  test('returns JSON or throws an ExpressionError', () => {
    const counts = { values: 0 }
    const gives = fc.property(expression, json, json, (source, input, output) => {
      onlyKnownErrors(() => {
        const value = evaluate(source, { input, nodes: { x: { output } }, run: { id: 'r' }, item: input, index: 1 })
        expect(JSON.parse(JSON.stringify(value))).toEqual(value)
        counts.values++
      })
    })
    fc.assert(gives, { numRuns: 1_600 })
    expect(counts.values).toBeGreaterThan(50)
  })

  test('is parsed or rejected, whatever its text is', () => {
    const text = fc.oneof(
      fc.string({ maxLength: 60 }),
      fc.string({ unit: 'binary', maxLength: 30 }),
      fc.string({ unit: fc.constantFrom(...Array.from('()[]{}.,?:"\'\\+-*/&|!=<>x1 \n$')), maxLength: 80 }),
    )
    fc.assert(
      fc.property(text, source => onlyKnownErrors(() => compile(source))),
      { numRuns: 800 },
    )
  })

  test('does not change its input', () => {
    const keeps = fc.property(expression, json, (source, input) => {
      const before = JSON.stringify(input)
      onlyKnownErrors(() => evaluate(source, { input, nodes: {}, run: {}, item: input, index: 0 }))
      expect(JSON.stringify(input)).toBe(before)
    })
    fc.assert(keeps, { numRuns: 500 })
  })
})

describe('any template', () => {
  const text = fc.string({
    unit: fc.constantFrom('$', '{', '}', '"', "'", '\\', 'a', ' ', '${', '$${', '1'),
    maxLength: 30,
  })
  const template = fc
    .jsonValue({ maxDepth: 3 })
    .chain(value => fc.tuple(fc.constant(value), text))
    .map(([value, part]) => [value, part, { [part]: part }] as JsonValue)

  test('is filled, or reports its problem', () => {
    const fills = fc.property(template, json, (value, input) => {
      if (templateProblems(value).length > 0) return
      onlyKnownErrors(() => fill(value, { input, nodes: {}, run: {} }))
    })
    fc.assert(fills, { numRuns: 1_000 })
  })

  test('stays unchanged if it contains no "${"', () => {
    const stays = fc.property(json, value => {
      if (JSON.stringify(value).includes('${')) return
      expect(JSON.stringify(fill(value))).toBe(JSON.stringify(value))
    })
    fc.assert(stays, { numRuns: 300 })
  })

  test('is unchanged after it is escaped and filled', () => {
    const escapes = fc.property(fc.string({ unit: fc.constantFrom('$', '{', '}', 'a', '"'), maxLength: 20 }), plain => {
      const escaped = plain.split('${').join('$${')
      expect(fill(`${escaped} `)).toBe(`${plain} `)
    })
    fc.assert(escapes, { numRuns: 500 })
  })
})
