import {
  applyConditions,
  findFieldKind,
  nameField,
  readValue,
  toInputText,
  type FieldSchema,
} from '../../../client/src/react/form-values.ts'
import { findSchemaProblems } from '../../../domain/shared/schemas/json-schema.ts'

/** Reads the value of a schema from fields, as the browser sends them. */
function read(schema: FieldSchema, fields: [name: string, value: string][]): unknown {
  const data = new FormData()
  for (const [name, value] of fields) data.append(name, value)
  return readValue(schema, data)
}

const SCHEMA: FieldSchema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    amount: { type: ['number', 'null'] },
    cause: { enum: ['theft', 7, null] },
    tags: { type: 'array', items: { enum: ['a', 'b', 'c'] } },
    lines: { type: 'array', items: { type: 'string' } },
    agreed: { type: 'boolean' },
    version: { const: 2 },
    at: { type: 'string', format: 'date-time' },
    'a/b~c': { type: 'object', properties: { note: { type: 'string' } } },
    other: {},
  },
}

test('the data of a form has the types of its schema', () => {
  const nested = nameField(nameField('', 'a/b~c'), 'note')
  expect(nested).toBe('/a~1b~0c/note')
  expect(
    read(SCHEMA, [
      ['/name', 'Ann'],
      ['/amount', '12.5'],
      ['/cause', '1'],
      ['/tags', '0'],
      ['/tags', '2'],
      ['/lines', 'one\ntwo\n'],
      ['/agreed', 'on'],
      ['/at', '2026-11-28T12:00Z'],
      [nested, 'x'],
      ['/other', '{"y": 1}'],
    ]),
  ).toEqual({
    name: 'Ann',
    amount: 12.5,
    cause: 7,
    tags: ['a', 'c'],
    lines: ['one', 'two'],
    agreed: true,
    version: 2,
    at: '2026-11-28T12:00:00.000Z',
    'a/b~c': { note: 'x' },
    other: { y: 1 },
  })
})

test('empty fields are absent from the data', () => {
  const texts = ['/name', '/amount', '/cause', '/at', '/other'].map((name): [string, string] => [name, ''])
  expect(read(SCHEMA, texts)).toEqual({ tags: [], lines: [], agreed: false, version: 2, 'a/b~c': {} })
})

test('a form whose schema is not an object has one value', () => {
  expect(read({ type: 'integer' }, [['', '3']])).toBe(3)
})

test.each<[string, FieldSchema]>([
  ['json', {}],
  ['json', { type: ['string', 'number'] }],
  ['json', { type: 'array', items: { type: 'object' } }],
  ['text', { type: ['string', 'null'] }],
  ['choice', { type: 'string', enum: ['a'] }],
])('a field of the kind %s is shown for %j', (kind, schema) => {
  expect(findFieldKind(schema)).toBe(kind)
})

test('invalid JSON is rejected', () => {
  expect(() => read(SCHEMA, [['/other', '{']])).toThrow(SyntaxError)
})

describe('conditional fields', () => {
  /* oxlint-disable unicorn/no-thenable -- `then` is a keyword of JSON Schema */
  const CONDITIONAL: FieldSchema = {
    type: 'object',
    required: ['kind'],
    properties: { kind: { enum: ['person', 'company'] }, card: { type: 'string' } },
    if: { required: ['kind'], properties: { kind: { const: 'company' } } },
    then: {
      required: ['register'],
      properties: { register: { type: 'string' }, foreign: { type: 'boolean' } },
      if: { properties: { foreign: { const: true } }, required: ['foreign'] },
      then: { properties: { country: { type: 'string' } } },
    },
    else: { properties: { born: { type: 'string' } } },
    dependentSchemas: { card: { properties: { code: { type: 'string' } } } },
  }
  /* oxlint-enable unicorn/no-thenable */
  const names = (value: object) => Object.keys(applyConditions(CONDITIONAL, value).properties ?? {})

  test('are added by the values of other fields', () => {
    expect(names({})).toEqual(['kind', 'card', 'born'])
    expect(names({ kind: 'person', card: '1' })).toEqual(['kind', 'card', 'code', 'born'])
    expect(names({ kind: 'company' })).toEqual(['kind', 'card', 'register', 'foreign'])
    expect(names({ kind: 'company', foreign: true })).toEqual(['kind', 'card', 'register', 'foreign', 'country'])
    expect(applyConditions(CONDITIONAL, { kind: 'company' }).required).toEqual(['kind', 'register'])
  })

  test('are part of the data, also if they depend on each other', () => {
    const company: [string, string][] = [
      ['/kind', '1'],
      ['/register', 'HRB 7'],
      ['/foreign', 'on'],
      ['/country', 'France'],
    ]
    expect(read(CONDITIONAL, company)).toEqual({
      kind: 'company',
      register: 'HRB 7',
      foreign: true,
      country: 'France',
    })
    expect(read(CONDITIONAL, [['/kind', '0']])).toEqual({ kind: 'person' })
  })

  test('are part of the data, also if the number of fields stays the same', () => {
    /* oxlint-disable unicorn/no-thenable */
    const schema: FieldSchema = {
      properties: { kind: { type: 'string' } },
      if: { required: ['kind'] },
      then: {
        properties: { register: { type: 'string' } },
        if: { required: ['register'] },
        then: { properties: { country: { type: 'string' } } },
      },
      else: { properties: { born: { type: 'string' } } },
    }
    /* oxlint-enable unicorn/no-thenable */
    const fields = ['/kind', '/register', '/country', '/born'].map((name): [string, string] => [name, 'x'])
    expect(read(schema, fields)).toEqual({ kind: 'x', register: 'x', country: 'x' })
  })

  test.each<[FieldSchema, unknown, boolean]>([
    [{ const: null }, 'x', false],
    [{ minimum: 1_000 }, 1_000, true],
    [{ minimum: 1_000 }, 999, false],
    [{ exclusiveMinimum: 1_000 }, 1_000, false],
    [{ maximum: 5 }, 6, false],
    [{ exclusiveMaximum: 5 }, 5, false],
    [{ exclusiveMaximum: 5 }, 4, true],
    [{ minimum: 5, minLength: 2 }, 'ab', true],
    [{ minLength: 2 }, 'a', false],
    [{ contains: { const: 'b' } }, ['a', 'b'], true],
    [{ contains: { const: 'b' } }, ['a'], false],
    [{ allOf: [{ minimum: 1 }, { maximum: 5 }] }, 6, false],
    [{ anyOf: [{ const: 1 }, { const: 2 }] }, 2, true],
    [{ oneOf: [{ const: 1 }, { const: 2 }] }, 3, false],
  ])('the condition %j of the value %j is %s', (condition, value, isMet) => {
    // oxlint-disable-next-line unicorn/no-thenable
    const parts = { then: { title: 'met' }, else: { title: 'not met' } }
    expect(applyConditions({ if: condition, ...parts }, value).title).toBe(isMet ? 'met' : 'not met')
  })
})

describe('parts of a schema', () => {
  test('are merged for each property', () => {
    const schema: FieldSchema = {
      properties: {
        note: { type: 'string', title: 'Note' },
        address: { properties: { city: { type: 'string' } }, required: ['city'] },
      },
      allOf: [{ properties: { note: { minLength: 5 }, address: { properties: { street: { type: 'string' } } } } }],
    }
    const { note = {}, address = {} } = applyConditions(schema, {}).properties ?? {}
    expect(applyConditions(note, undefined)).toMatchObject({ type: 'string', title: 'Note', minLength: 5 })
    expect(Object.keys(applyConditions(address, {}).properties ?? {})).toEqual(['city', 'street'])
    const fields: [string, string][] = [
      ['/note', 'hello world'],
      ['/address/city', 'Bonn'],
      ['/address/street', 'Am Hof'],
    ]
    expect(read(schema, fields)).toEqual({ note: 'hello world', address: { city: 'Bonn', street: 'Am Hof' } })
  })

  test('can be local references', () => {
    const schema: FieldSchema & { $defs: object } = {
      $defs: { 'a/b c': { enum: ['x', 'y'] }, name: { type: 'string', title: 'Name', maxLength: 9 } },
      properties: {
        kind: { $ref: '#/$defs/a~1b%20c' },
        kinds: { type: 'array', items: { $ref: '#/$defs/a~1b%20c' } },
        names: { type: 'array', items: { allOf: [{ $ref: '#/$defs/name' }] } },
        name: { $ref: '#/$defs/name', title: 'Your name' },
      },
    }
    expect(
      read(schema, [
        ['/kind', '1'],
        ['/kinds', '0'],
        ['/names', 'Ann\nBob'],
        ['/name', 'Ann'],
      ]),
    ).toEqual({ kind: 'y', kinds: ['x'], names: ['Ann', 'Bob'], name: 'Ann' })
    expect(applyConditions(schema.properties?.name ?? {}, undefined, schema)).toMatchObject({
      title: 'Your name',
      maxLength: 9,
    })
  })

  test('can be true or false', () => {
    const schema = { properties: { any: true, none: false }, allOf: [true, { properties: { any: { title: 'Any' } } }] }
    expect(read(schema as unknown as FieldSchema, [['/any', '[1]']])).toEqual({ any: [1] })
  })
})

test('titled constants are choices', () => {
  const schema: FieldSchema = {
    properties: {
      cause: {
        type: 'string',
        oneOf: [
          { const: 'theft', title: 'Stolen' },
          { const: 'fire', title: 'Burnt' },
        ],
      },
    },
  }
  expect(applyConditions(schema.properties?.cause ?? {}, undefined).titles).toEqual(['Stolen', 'Burnt'])
  expect(read(schema, [['/cause', '1']])).toEqual({ cause: 'fire' })
})

test('a box that must be checked is shown, and is not checked in advance', () => {
  const schema: FieldSchema = { properties: { agreed: { type: 'boolean', const: true } } }
  expect(read(schema, [])).toEqual({ agreed: false })
})

test('a required field that accepts null is null if it is empty', () => {
  const schema: FieldSchema = {
    required: ['due', 'kind'],
    properties: {
      due: { type: ['string', 'null'] },
      kind: { type: ['string', 'null'], enum: ['a'] },
      more: { type: ['string', 'null'] },
    },
  }
  expect(read(schema, [])).toEqual({ due: null })
})

test('an optional list that must have items is absent if it is empty', () => {
  const tags: FieldSchema = { type: 'array', items: { enum: ['a'] }, minItems: 1 }
  expect(read({ properties: { tags, lines: { ...tags, items: { type: 'string' } } } }, [['/lines', '']])).toEqual({})
  expect(read({ properties: { tags }, required: ['tags'] }, [])).toEqual({ tags: [] })
})

test('a list of files has the ids of all files', () => {
  const scans: FieldSchema = { type: 'array', items: { type: 'string', format: 'file' } }
  const fields: [string, string][] = [
    ['/scans', '1'],
    ['/scans', '2'],
  ]
  expect(read({ properties: { scans } }, fields)).toEqual({ scans: ['1', '2'] })
})

test('times are sent with their offset, and are shown as local times', () => {
  const schema: FieldSchema = { properties: { at: { type: 'string', format: 'time' } } }
  const { at } = read(schema, [['/at', '12:30']]) as { at: string }
  expect(findSchemaProblems({ format: 'time' }, at)).toEqual([])
  expect(toInputText(at, 'time')).toBe('12:30')
  const moment = new Date(2026, 10, 28, 12, 30)
  expect(toInputText(moment.toISOString(), 'date-time')).toBe('2026-11-28T12:30')
  expect(toInputText('12:30', 'email')).toBe('12:30')
})
