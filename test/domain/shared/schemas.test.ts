import type { JsonSchema, Problem } from '../../../domain/shared/json/json.ts'
import { FORMATS } from '../../../domain/shared/schemas/formats.ts'
import { compileSchema, findSchemaProblems } from '../../../domain/shared/schemas/json-schema.ts'

function check(schema: JsonSchema, value: unknown): Problem[] {
  const result = compileSchema(schema)
  if ('problems' in result) throw new Error(JSON.stringify(result.problems))
  return result.validate(value)
}

function refusal(schema: unknown): Problem[] {
  const result = compileSchema(schema as JsonSchema)
  return 'problems' in result ? result.problems : []
}

function nested(levels: number, around: (inner: object) => object): JsonSchema {
  let schema: object = { type: 'string' }
  for (let i = 0; i < levels; i++) schema = around(schema)
  return schema as JsonSchema
}

describe('checking a value', () => {
  const schema: JsonSchema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'https://example.test/invoice',
    type: 'object',
    properties: {
      total: { type: 'number', minimum: 0 },
      currency: { enum: ['EUR', 'USD', { other: 1 }] },
      lines: { type: 'array', items: { $ref: '#/$defs/line%20item' } },
      due: { type: 'string', format: 'date' },
    },
    required: ['total', 'due'],
    additionalProperties: false,
    $defs: { 'line item': { type: 'object', properties: { 'a/b': { const: 1 } } } },
  }

  test('finds no problems in a valid value', () => {
    expect(check(schema, { total: 1, due: '2024-02-29', lines: [{ 'a/b': 1 }], currency: { other: 1 } })).toEqual([])
  })

  test('lists every problem of an invalid value, with its location', () => {
    expect(
      check(schema, { total: -1, currency: 'GBP', lines: [{}, { 'a/b': 2 }], due: '2023-02-29', extra: 1 }),
    ).toEqual([
      { pointer: '', message: 'must not have the field "extra"' },
      { pointer: '/total', message: 'must be at least 0' },
      { pointer: '/currency', message: 'must be one of EUR, USD, {"other":1}' },
      { pointer: '/lines/1/a~1b', message: 'must be 1' },
      { pointer: '/due', message: 'must be in the format date' },
    ])
    expect(check(schema, {})).toMatchObject([{ pointer: '', message: 'must have the field "total"' }, { pointer: '' }])
  })

  test('keeps the patterns of different schemas apart', () => {
    const named: JsonSchema = {
      properties: { a: { pattern: '^a+$' }, b: { pattern: '^b+$' } },
      patternProperties: { '^x': { type: 'number' } },
    }
    expect(check(named, { a: 'aa', b: 'bb', x1: 1, y1: 'y' })).toEqual([])
    expect(check(named, { a: 'b', b: 'a', x1: '1' }).map(({ pointer }) => pointer)).toEqual(['/a', '/b', '/x1'])
    expect(check({ pattern: '^\\u00e9\\d{2}$' }, 'é12')).toEqual([])
  })

  test('is not misled by prototype names', () => {
    const own = JSON.parse(
      '{"properties": {"__proto__": {"type": "string"}, "constructor": {"type": "string"}}, "required": ["toString"]}',
    ) as JsonSchema
    expect(check(own, {})).toMatchObject([{ message: 'must have the field "toString"' }])
    expect(check(own, JSON.parse('{"toString": 1, "constructor": 2}'))).toMatchObject([{ pointer: '/constructor' }])
  })
})

describe('a schema is rejected', () => {
  test.each<[string, unknown, string, string]>([
    ['that is invalid', { type: 'strnig' }, '/type', 'must be one of array, boolean'],
    [
      'that contains itself',
      { properties: { child: { $ref: '#' } } },
      '/properties/child/$ref',
      'must not be recursive',
    ],
    [
      'that contains itself indirectly',
      { $defs: { a: { items: { $ref: '#/$defs/b' } }, b: { anyOf: [{ $ref: '#/%24defs/a' }] } } },
      '/$defs/a/items/$ref',
      'must not be recursive',
    ],
    [
      'that refers to another schema',
      { $ref: 'https://example.test/schema' },
      '/$ref',
      'must refer to a definition inside this schema',
    ],
    ['that refers to a file', { $ref: 'other.json#/a' }, '/$ref', 'must refer to a definition inside this schema'],
    [
      'that refers to an anchor',
      { $defs: { a: { $anchor: 'x' } }, $ref: '#x' },
      '/$ref',
      'must refer to a definition inside this schema',
    ],
    [
      'that refers to a missing schema',
      { $ref: '#/$defs/toString' },
      '/$ref',
      'must refer to a definition inside this schema',
    ],
    [
      'with a reference that is not a pointer',
      { $ref: '#/%' },
      '/$ref',
      'must refer to a definition inside this schema',
    ],
    [
      'with a nested base',
      { properties: { a: { $id: 'https://example.test/a', $ref: '#' } } },
      '/properties/a/$id',
      'in the root schema only',
    ],
    [
      'that is asynchronous',
      { $async: true, type: 'string' },
      '/$async',
      'must not be set: it is not part of JSON Schema',
    ],
    ['from another draft', { $schema: 'http://json-schema.org/draft-07/schema#' }, '/$schema', 'must be draft 2020-12'],
    [
      'with an unbounded uniqueItems',
      { items: { type: 'array', uniqueItems: true } },
      '/items/uniqueItems',
      'must be combined with maxItems of at most 1000',
    ],
    ['with an invalid pattern', { properties: { a: { pattern: '(' } } }, '/properties/a/pattern', 'missing closing )'],
    [
      'with a lookbehind pattern',
      { patternProperties: { '(a)\\1': {} } },
      '/patternProperties/(a)\\1',
      'invalid escape sequence',
    ],
    [
      'with a pattern that repeats too much',
      { pattern: 'a{1000}'.repeat(30) },
      '/pattern',
      'fewer repetitions across all patterns',
    ],
    [
      'with an unknown format',
      { properties: { default: { format: 'uint32' } } },
      '/properties/default/format',
      'must be one of binary, byte, date, ',
    ],
    ['with a very long pattern', { pattern: 'a'.repeat(501) }, '/pattern', 'at most 500 characters'],
    ['that is too long', { description: 'x'.repeat(70_000) }, '', 'at most 65536 characters'],
    ['that is too deep', nested(20_000, inner => ({ items: inner })), '', 'at most 200 levels deep'],
  ])('%s', (_name, schema, pointer, message) => {
    expect(refusal(schema)).toContainEqual({ pointer, message: expect.stringContaining(message) })
  })

  test('if it grows with each reference', () => {
    const laughs: JsonSchema = { $defs: { l0: { type: 'string' } }, $ref: '#/$defs/l40' }
    for (let i = 1; i <= 40; i++)
      (laughs.$defs as JsonSchema)[`l${i}`] = { allOf: [{ $ref: `#/$defs/l${i - 1}` }, { $ref: `#/$defs/l${i - 1}` }] }
    expect(refusal(laughs)).toMatchObject([
      { pointer: '', message: expect.stringContaining('with its references expanded') },
    ])
  })

  test('with all of its problems at once', () => {
    const schema = { properties: { a: { $ref: '#/nope' }, b: { uniqueItems: true }, c: { pattern: '[' } } }
    expect(refusal(schema).map(({ pointer }) => pointer)).toEqual([
      '/properties/a/$ref',
      '/properties/b/uniqueItems',
      '/properties/c/pattern',
    ])
  })

  test('unless a property is only named like a keyword', () => {
    const schema: JsonSchema = {
      properties: {
        $ref: { type: 'string' },
        pattern: { type: 'number' },
        $id: { type: 'string' },
        uniqueItems: { type: 'boolean' },
      },
    }
    expect(check(schema, { $ref: 'x', pattern: 1, $id: 'y', uniqueItems: true })).toEqual([])
  })

  test('unless the data only looks like a schema', () => {
    const file = { format: 'pdf' }
    expect(refusal({ const: file, default: file, enum: [file], examples: [file], not: { default: file } })).toEqual([])
    expect(refusal({ default: file, format: 'pdf' }).map(({ pointer }) => pointer)).toEqual(['/format'])
  })

  test('unless uniqueItems is bounded', () => {
    expect(check({ uniqueItems: true, maxItems: 1000 }, [1, 2, 1])).toHaveLength(1)
  })
})

describe('the cost of checking a value is bounded', () => {
  test('for a pattern that would backtrack in other engines', () => {
    expect(check({ pattern: '^(a+)+$' }, `${'a'.repeat(1_000_000)}!`)).toMatchObject([
      { message: 'must match the pattern ^(a+)+$' },
    ])
  })

  test('for a large pattern on a long text', () => {
    const text = Array.from({ length: 200_000 }, (_, i) => 'ab'[(i * 7 + (i >> 3)) % 2]).join('')
    expect(check({ pattern: '(a|b)*a(a|b){200}$' }, `${text}!`)).toEqual([
      { pointer: '', message: 'is too long to be validated against its pattern' },
    ])
    expect(check({ pattern: '(a|b)*a(a|b){200}$' }, 'short')).toHaveLength(1)
  })

  test('for many alternatives on many values', () => {
    const schema: JsonSchema = { items: { anyOf: Array.from({ length: 1_000 }, (_, i) => ({ const: i })) } }
    expect(
      check(
        schema,
        Array.from({ length: 20_000 }, () => -1),
      ).length,
    ).toBeGreaterThan(0)
    expect(
      check(
        schema,
        Array.from({ length: 500_000 }, () => -1),
      ),
    ).toEqual([{ pointer: '', message: 'must be small enough to be validated against its schema' }])
  })

  test('for an endless value', () => {
    let deep: unknown = 1
    for (let i = 0; i < 100_000; i++) deep = [deep]
    expect(check({ uniqueItems: true, maxItems: 5 }, [deep, deep])).toMatchObject([
      { message: 'must be at most 200 levels deep' },
    ])
  })

  test.each([...FORMATS.keys()])('for the format %s', format => {
    const texts = [
      'a'.repeat(100_000),
      '1'.repeat(100_000),
      `http://${'a.'.repeat(50_000)}`,
      `http://${':'.repeat(1_000_000)}`,
      `a@${'a-'.repeat(50_000)}`,
      ':'.repeat(100_000),
      '%'.repeat(100_000),
      '{a}'.repeat(30_000),
      `P${'1'.repeat(100_000)}`,
    ]
    for (const text of texts) check({ format }, `${text}!`)
  })
})

describe('a format', () => {
  test.each([
    ['url', 'https://user:secret@example.test:8080/a?b=c#d'],
    ['url', 'http://münchen.example/'],
    ['url', 'ftp://example.test/file'],
    ['byte', 'QUJD\r\nQUI='],
    ['byte', ''],
    ['uri', 'urn:isbn:0451450523'],
    ['int32', 2147483647],
    ['password', 'x'.repeat(10_000)],
    ['iso-duration', 'PT5M'],
  ])('%s accepts %s', (format, value) => expect(check({ format }, value)).toEqual([]))

  test.each([
    ['url', 'example.test'],
    ['url', 'http://a b.test/'],
    ['url', 'javascript:alert(1)'],
    ['url', 'mailto://ann@example.test'],
    ['byte', 'QUJ'],
    ['byte', 'QUJ!'],
    ['byte', 'QU=D'],
    ['int32', 2147483648],
  ])('%s rejects %s', (format, value) => expect(check({ format }, value)).toHaveLength(1))

  test('that is a text has a length limit', () => {
    const [prefix, rest] = ['https://example.test/', 'a'.repeat(8_192)]
    expect(check({ format: 'url' }, (prefix + rest).slice(0, 8_192))).toEqual([])
    expect(check({ format: 'url' }, (prefix + rest).slice(0, 8_193))).toEqual([
      { pointer: '', message: 'must be in the format url, with at most 8192 characters' },
    ])
  })
})

describe('limits for files', () => {
  const file = { format: 'file', type: 'string' }
  const id = '0197cafe-0000-7000-8000-000000000001'
  const find = (schema: object, value: object, media_type: string) =>
    findSchemaProblems(schema as JsonSchema, value, '/data', undefined, [{ id, media_type, size: 10 }])

  test.each([
    [{}, undefined],
    [{ contentMediaType: 'image/png' }, undefined],
    [{ contentMediaType: 'application/pdf, Image/*' }, undefined],
    [{ contentMediaType: 'application/pdf' }, 'must be a file of the type application/pdf, not image/png'],
    [{ maxBytes: 10 }, undefined],
    [{ maxBytes: 9 }, 'must be a file of at most 9 bytes, not 10'],
  ])('%j', (limits, message) => {
    const problems = find({ properties: { scan: { ...file, ...limits } } }, { scan: id.toUpperCase() }, 'image/png')
    expect(problems).toEqual(message === undefined ? [] : [{ pointer: '/data/scan', message }])
  })

  test('apply only if their part of the schema does', () => {
    const scan = (contentMediaType: string) => ({ properties: { scan: { contentMediaType } } })
    const schema = {
      properties: { kind: { enum: ['photo', 'letter', 'either'] }, scan: file },
      allOf: [
        // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
        { if: { properties: { kind: { const: 'photo' } } }, then: scan('image/*') },
        // oxlint-disable-next-line unicorn/no-thenable
        { if: { properties: { kind: { const: 'letter' } } }, then: scan('application/pdf') },
        { anyOf: [scan('image/png'), scan('application/pdf')] },
      ],
    }
    const isAccepted = (kind: string, type: string) => find(schema, { kind, scan: id }, type).length === 0
    expect(isAccepted('photo', 'image/png')).toBe(true)
    expect(isAccepted('photo', 'image/jpeg')).toBe(false)
    expect(isAccepted('photo', 'application/pdf')).toBe(false)
    expect(isAccepted('letter', 'application/pdf')).toBe(true)
    expect(isAccepted('either', 'application/pdf')).toBe(true)
    expect(isAccepted('either', 'text/plain')).toBe(false)
  })

  test('are ignored for other texts, and without files', () => {
    const schema = { properties: { page: { type: 'string', contentMediaType: 'text/html', maxBytes: '1' } } }
    expect(find(schema, { page: '<p>' }, 'image/png')).toEqual([])
    expect(check(schema as JsonSchema, { page: id })).toEqual([])
  })
})
