import { ExpressionError } from '../../../domain/pathways/expressions/expression-error.ts'
import { fill, templateProblems } from '../support/evaluate.ts'

const scope = {
  input: { n: 5, text: 'a', list: [1, 2], none: null, flag: true, deep: { 'a/b': 1 } },
  nodes: {},
  run: {},
}

describe('a template', () => {
  test.each([
    ['in one text', '${input.text}'.repeat(50)],
    ['in many', Array.from({ length: 50 }, () => '${input.text}')],
    ['as JSON', 'As JSON: ${input.list}'],
  ])('fails when it repeats a long text too often: %s', (_, template) => {
    const text = 'x'.repeat(90_000)
    const long = { ...scope, input: { text, list: Array.from({ length: 50 }, () => text) } }
    expect(() => fill(template, long)).toThrow(ExpressionError)
    expect(() => fill(template, long)).toThrow(/too long/)
  })

  test.each([
    ['${input.n}', 5],
    ['${input.list}', [1, 2]],
    ['${input.none}', null],
    ['${input.flag}', true],
    ['${ input.n }', 5],
  ])('consisting of a single expression keeps the type of its value: %s', (template, expected) =>
    expect(fill(template, scope)).toEqual(expected),
  )

  test.each([
    ['n is ${input.n}', 'n is 5'],
    ['${input.n}${input.text}', '5a'],
    [' ${input.n}', ' 5'],
    ['${input.list} and ${input.deep}', '[1,2] and {"a/b":1}'],
    ['<${input.none}>', '<>'],
    ['${input.flag}!', 'true!'],
    ['${"}"}', '}'],
    ["${'{'}x", '{x'],
    ['${{"a": 1}}', { a: 1 }],
    ['${"a\\"}b"}', 'a"}b'],
    ['${"a" + "${"}', 'a${'],
  ])('fills %s', (template, expected) => expect(fill(template, scope)).toEqual(expected))

  test.each([
    ['$${input.n}', '${input.n}'],
    ['costs $${5} or ${input.n}', 'costs ${5} or 5'],
    ['$5', '$5'],
    ['$', '$'],
    ['{}', '{}'],
    ['', ''],
    ['$$${input.n}', '$${input.n}'],
  ])('writes %s literally', (template, expected) => expect(fill(template, scope)).toBe(expected))

  test('is filled in lists and objects, without changing their keys', () => {
    const template = { '${input.n}': ['${input.n}', { deep: 'x${input.text}', plain: 1 }], escaped: ['$${x}'] }
    expect(fill(template, scope)).toEqual({ '${input.n}': [5, { deep: 'xa', plain: 1 }], escaped: ['${x}'] })
    const own: unknown = JSON.parse('{"__proto__": "${input.n}"}')
    expect(JSON.stringify(fill(own as Record<string, string>, scope))).toBe('{"__proto__":5}')
  })

  test('reports all its problems, each with its location', () => {
    const template = { a: '${1 +}', 'b/c': ['ok', 'x ${nope} ${', '${input.n}'], '~': { d: '${foo(1)} ${bar}' } }
    expect(templateProblems(template).map(({ pointer }) => pointer)).toEqual(['/a', '/b~1c/1', '/~0/d', '/~0/d'])
  })

  test.each(['${', 'a ${input.n', '${"}', "${'a}", '${{}'])('is rejected because %s is not closed', template => {
    expect(templateProblems(template)).toMatchObject([{ message: 'a "${" has no closing "}"' }])
  })

  test('with an empty expression is rejected', () => expect(templateProblems('${}')).toHaveLength(1))
})
