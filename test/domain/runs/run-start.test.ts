import type { JsonValue } from '../../../domain/shared/json/json.ts'
import type { PathwayDefinition } from '../../../domain/pathways/definition.ts'
import { prepareRun } from '../../../domain/pathways/run-start.ts'
import { validateDefinition } from '../../../domain/pathways/validate.ts'

const run = { id: 'run-1', requester: 'user:ann' }
const start = (definition: Pick<PathwayDefinition, 'input' | 'run_title'>, input: JsonValue) =>
  prepareRun(definition, input, run, '/input')

describe('the input of a run', () => {
  const order = {
    type: 'object',
    properties: {
      amount: { type: 'number', default: 3 },
      lines: { type: 'array', items: { type: 'object', properties: { unit: { type: 'string', default: 'kg' } } } },
    },
    required: ['amount'],
  }

  test('is filled with the defaults from its schema, including in lists, and the sent values stay unchanged', () => {
    const sent: JsonValue = { lines: [{}, { unit: 'l' }] }
    expect(start({ input: order }, sent)).toEqual({
      input: { amount: 3, lines: [{ unit: 'kg' }, { unit: 'l' }] },
      problems: [],
    })
    expect(sent).toEqual({ lines: [{}, { unit: 'l' }] })
    expect(start({ input: order }, { amount: 7 })).toEqual({ input: { amount: 7 }, problems: [] })
  })

  test('is rejected when a value or a default does not match', () => {
    expect(start({ input: order }, { amount: 'x' }).problems).toEqual([
      { pointer: '/input/amount', message: 'must be a number' },
    ])
    const wrong = { properties: { amount: { type: 'number', default: 'none' } } }
    expect(start({ input: wrong }, {}).problems).toEqual([{ pointer: '/input/amount', message: 'must be a number' }])
  })

  test('is rejected when its defaults make it too large', () => {
    const long = { items: { properties: { text: { type: 'string', default: 'x'.repeat(50_000) } } } }
    expect(
      start(
        { input: long },
        Array.from({ length: 1_000 }, () => ({})),
      ).problems,
    ).toEqual([{ pointer: '/input', message: 'must have at most 1000000 characters, including defaults' }])
  })
})

describe('the title of a run', () => {
  test.each<[string, JsonValue, string | undefined]>([
    ['Onboard ${input.company}', { company: 'Toro\n Ltd' }, 'Onboard Toro Ltd'],
    ['${input.company} for ${run.requester}', { company: 'Toro' }, 'Toro for user:ann'],
    ['${input.amount}', { amount: 5 }, '5'],
    ['Onboard ${input.company}', {}, undefined],
    ['${""}', {}, undefined],
    ['${input.company}', { company: 'x'.repeat(500) }, 'x'.repeat(200)],
  ])('%s with %j', (run_title, input, title) => expect(start({ run_title }, input).title).toBe(title))
})

describe('a definition', () => {
  const definition = (more: object, template: JsonValue) => ({
    schema: 'pathway/1',
    nodes: [{ id: 'done', type: 'end', output: template }],
    edges: [],
    ...more,
  })
  const input = {
    type: 'object',
    properties: {
      need: { type: 'object', properties: { inner: { type: 'string' } } },
      note: { type: 'string' },
      fee: { type: 'number', default: 1 },
    },
    required: ['need'],
    additionalProperties: false,
  }
  const warnings = (template: JsonValue, more: object = {}) => {
    const checked = validateDefinition(definition({ input, ...more }, template), { at: '/definition' })
    return checked.ok ? checked.warnings : checked.problems
  }

  test('produces warnings for optional fields that are read without a test', () => {
    expect(warnings('${input.note} ${input.fee}', { run_title: '${input.need.inner}' })).toEqual([
      {
        pointer: '/definition/nodes/0/output',
        message: 'input.note is optional: test it with has(input.note), or give it a default',
      },
      {
        pointer: '/definition/run_title',
        message: 'input.need.inner is optional: test it with has(input.need.inner), or give it a default',
      },
    ])
    expect(warnings('${has(input.note) ? input.note : ""} ${has(input.need.inner) && input.need.inner == ""}')).toEqual(
      [],
    )
  })

  test('may have a title, which is checked in the same way as the expressions in its nodes', () => {
    expect(warnings(1, { run_title: '${input.nope}' })).toEqual([
      { pointer: '/definition/run_title', message: 'input has no field "nope"; its schema has need, note, fee' },
    ])
    expect(warnings(1, { run_title: '${nodes.done.output}' })).toMatchObject([{ pointer: '/definition/run_title' }])
  })
})
