import {
  applyConditions,
  findFieldKind,
  nameField,
  readValue,
  type FieldSchema,
} from '../../../client/src/react/form-values.ts'

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
