import fc from 'fast-check'
import { compileSchema } from '../../../domain/shared/schemas/json-schema.ts'
import { TOOL_NAME, prefixName, toToolName } from '../../../domain/tools/names.ts'
import { readOpenApi } from '../../../domain/tools/openapi/read.ts'

const ok = { responses: { 200: { description: 'fine' } } }
const petShop = {
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  servers: [{ url: 'https://{region}.pets.test/v2/', variables: { region: { default: 'eu' } } }],
  paths: {
    '/pets/{id}': {
      parameters: [{ $ref: '#/components/parameters/Id' }],
      get: { operationId: 'pets.get one', summary: 'Reads a pet', ...ok },
      delete: { ...ok },
      put: {
        operationId: 'save',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
        },
        ...ok,
      },
    },
    '/pets': {
      get: {
        operationId: 'list',
        parameters: [
          { name: 'tag', in: 'query', schema: { type: 'array', items: { type: 'string' } } },
          { name: 'filter', in: 'query', style: 'deepObject', explode: true, schema: { type: 'object' } },
          { name: 'X-Trace', in: 'header', schema: { type: 'string' } },
          { name: 'Authorization', in: 'header', schema: { type: 'string' } },
          { name: 'session', in: 'cookie', schema: { type: 'string' } },
        ],
        ...ok,
      },
      post: { operationId: 'save', requestBody: { content: { 'text/plain': {} } }, ...ok },
    },
  },
  components: {
    parameters: { Id: { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } } },
    schemas: {
      Pet: {
        type: 'object',
        required: ['id', 'name'],
        properties: {
          id: { type: 'integer', readOnly: true },
          name: { type: 'string', pattern: '^(a+)+$', maxLength: 20 },
          mother: { $ref: '#/components/schemas/Pet' },
        },
      },
    },
  },
}

const parseTools = (document: unknown, from: object = {}) => {
  const read = readOpenApi(document, from)
  if ('problems' in read) throw new Error(JSON.stringify(read.problems))
  return read.tools
}
const listProblems = (document: unknown, from: object = {}) => {
  const read = readOpenApi(document, from)
  return 'problems' in read ? read.problems : []
}
const withPaths = (paths: object, more: object = {}) => ({ ...petShop, paths, ...more })

describe('an OpenAPI document', () => {
  test('yields one tool per operation, with its name, effect and call', () => {
    expect(parseTools(petShop).map(({ name, effect, http }) => [name, effect, http.method, http.path])).toEqual([
      ['pets_get_one', 'read', 'GET', '/pets/{id}'],
      ['save', 'idempotent', 'PUT', '/pets/{id}'],
      ['delete_pets_id', 'idempotent', 'DELETE', '/pets/{id}'],
      ['list', 'read', 'GET', '/pets'],
      ['save_2', 'write', 'POST', '/pets'],
    ])
    const [get, put] = parseTools(petShop)
    expect(get).toMatchObject({
      description: 'Reads a pet',
      parameters: {
        type: 'object',
        properties: { id: { type: 'integer', minimum: 1 } },
        required: ['id'],
        additionalProperties: false,
      },
      http: { server: 'https://eu.pets.test/v2', places: { id: { in: 'path', name: 'id', style: 'simple' } } },
    })
    expect(put?.http.body).toEqual({ argument: 'body', media_type: 'application/json' })
    expect(put?.parameters.required).toEqual(['id', 'body'])
  })

  test('places query parameters in their style, and adds no arguments for credentials', () => {
    const list = parseTools(petShop).find(({ name }) => name === 'list')
    expect(list?.http.places).toEqual({
      tag: { in: 'query', name: 'tag', style: 'form', explode: true },
      filter: { in: 'query', name: 'filter', style: 'deepObject', explode: true },
      'X-Trace': { in: 'header', name: 'X-Trace', style: 'simple', explode: false },
    })
  })

  test('yields expanded schemas: no recursion, no patterns, no read-only fields', () => {
    const put = parseTools(petShop).find(({ http }) => http.method === 'PUT')
    expect((put?.parameters.properties as { body: object } | undefined)?.body).toEqual({
      type: 'object',
      properties: { name: { type: 'string', maxLength: 20 }, mother: {} },
      required: ['name'],
    })
  })

  test('of version 3.0 is converted to current JSON Schema', () => {
    const schema = { type: 'number', nullable: true, minimum: 0, exclusiveMinimum: true, enum: [1, 2] }
    const parameters = [{ name: 'n', in: 'query', schema }]
    const [tool] = parseTools({ ...withPaths({ '/n': { get: { parameters, ...ok } } }), openapi: '3.0.3' })
    expect(tool?.parameters.properties).toEqual({
      n: { type: ['number', 'null'], exclusiveMinimum: 0, enum: [1, 2, null] },
    })
  })

  test('may be JSON or YAML text', () => {
    const yaml = [
      'openapi: 3.0.0',
      'info: {title: T, version: 1.0.0}',
      'paths:',
      '  /a:',
      '    get: {operationId: yes, responses: {200: {description: fine}}}',
    ].join('\n')
    expect(parseTools(yaml, { server_url: 'https://a.test' }).map(({ name }) => name)).toEqual(['yes'])
    expect(parseTools(JSON.stringify(petShop))).toEqual(parseTools(petShop))
  })

  test('resolves a relative server URL against its source URL', () => {
    const document = withPaths({ '/a': { get: ok } }, { servers: [{ url: '/api' }] })
    expect(parseTools(document, { url: 'https://shop.test/docs/openapi.json' })[0]?.http.server).toBe(
      'https://shop.test/api',
    )
  })

  test.each([
    ['no version', { paths: {} }, '/openapi'],
    ['Swagger 2', { swagger: '2.0', paths: {} }, '/swagger'],
    ['no operation', withPaths({}), '/paths'],
    ['no server', withPaths({ '/a': { get: ok } }, { servers: undefined }), '/paths/~1a/get'],
    [
      'a server with another scheme',
      withPaths({ '/a': { get: ok } }, { servers: [{ url: 'file:///etc' }] }),
      '/paths/~1a/get',
    ],
    [
      'an external reference',
      withPaths({ '/a': { get: { parameters: [{ $ref: 'https://evil.test/p.json' }], ...ok } } }),
      '/paths/~1a/get/parameters/0/$ref',
    ],
    [
      'a broken reference',
      withPaths({ '/a': { post: { requestBody: { $ref: '#/components/none' }, ...ok } } }),
      '/paths/~1a/post/requestBody/$ref',
    ],
    [
      'a reference cycle',
      { ...withPaths({ '/a': { $ref: '#/paths/~1b' }, '/b': { $ref: '#/paths/~1a' } }) },
      '/paths/~1a',
    ],
  ])('with %s is rejected, and the error gives the location', (_, document, pointer) => {
    expect(listProblems(document).map(problem => problem.pointer)).toContain(pointer)
  })

  test.each([
    ['not text', 7],
    ['broken JSON', '{"openapi":'],
    ['a YAML bomb', 'a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]'],
    ['only text', 'hello'],
  ])('that is %s is rejected', (_, given) => {
    expect(listProblems(given)).toHaveLength(1)
  })

  test('whose size doubles with every level stays small', () => {
    const schemas = Object.fromEntries(
      Array.from({ length: 60 }, (_, i) => {
        const next = { $ref: `#/components/schemas/S${i + 1}` }
        return [`S${i}`, { type: 'object', properties: { left: next, right: next } }]
      }),
    )
    const content = { 'application/json': { schema: { $ref: '#/components/schemas/S0' } } }
    const document = withPaths(
      { '/a': { post: { requestBody: { content }, ...ok } } },
      { components: { schemas: { ...schemas, S60: {} } } },
    )
    const [tool] = parseTools(document)
    expect(JSON.stringify(tool).length).toBeLessThan(100_000)
    expect('validate' in compileSchema(tool?.parameters ?? {})).toBe(true)
  })

  test('with any schema yields parameters that can be validated', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.dictionary(fc.string(), fc.jsonValue()), (value, more) => {
        const schema = {
          ...more,
          type: 'object',
          properties: { a: value, b: { enum: value, type: value, items: value } },
        }
        const content = { 'application/json': { schema } }
        const document = withPaths({ '/a': { post: { requestBody: { content }, ...ok } } })
        const read = readOpenApi(document)
        if ('problems' in read) return
        const compiled = compileSchema(read.tools[0]?.parameters ?? {})
        expect('problems' in compiled ? compiled.problems : []).toEqual([])
      }),
    )
  })
})

test('tool names are valid for every model provider', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (a, b) => {
      expect(toToolName(a)).toMatch(TOOL_NAME)
      expect(prefixName(a.slice(0, 80), toToolName(b))).toMatch(TOOL_NAME)
    }),
  )
})
