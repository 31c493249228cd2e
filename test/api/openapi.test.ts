import { createConfig, lintFromString } from '@redocly/openapi-core'
import { BUILTIN_TOOLS } from '../../api/mcp/tools/toolkits.ts'
import { TrialExpired } from '../../domain/shared/errors.ts'
import { type DeclaredOperation, readOperations } from '../support/clients/declared-operations.ts'
import { findPatterns } from '../support/clients/patterns.ts'
import { type AppUnderTest, startApp } from './app-under-test.ts'
import { memoryPlans } from './services.ts'

/** The parts of the document, apart from schemas, that client generators read. */

interface Response {
  $ref?: string
  headers?: Record<string, { $ref: string }>
}

interface Schema {
  oneOf?: { $ref?: string }[]
  anyOf?: { $ref?: string }[]
  discriminator?: { propertyName: string; mapping: Record<string, string> }
}

interface Document extends Record<string, unknown> {
  paths: Record<
    string,
    Record<
      string,
      { operationId: string; security?: object[]; 'x-idempotent': string; responses: Record<string, Response> }
    >
  >
  components: {
    responses: Record<string, Response>
    headers: Record<string, { schema: object }>
    schemas: Record<string, Schema & { properties?: Record<string, { enum?: string[] }> }>
  }
  tags: { name: string; description: string }[]
}

let app: AppUnderTest
let document: Document
const findOperations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  )
const resolve = (response: Response): Response =>
  response.$ref ? (document.components.responses[response.$ref.split('/').at(-1) ?? ''] ?? {}) : response

beforeAll(async () => {
  app = await startApp({
    plans: { ...memoryPlans, checkWrite: () => Promise.reject(new TrialExpired('2026-01-01T00:00:00.000Z')) },
  })
  document = (await app.client.get<Document>('/v1/openapi.json')).body
})
afterAll(() => app.drain(0))

test('the linter reports no problems', async () => {
  // The sign-in routes respond only with redirects.
  const config = await createConfig({ extends: ['recommended'], rules: { 'operation-2xx-response': 'off' } })
  const problems = await lintFromString({ source: JSON.stringify(document), config })
  const lines = problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer ?? ''}`)
  expect(lines).toEqual([])
})

test('every response declares the rate limit headers, and retryable errors declare Retry-After', () => {
  const names = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']
  for (const name of Object.values(document.components.headers))
    expect(name).toMatchObject({ required: true, schema: { type: 'integer' } })
  const problems = findOperations().flatMap(({ operation: { operationId, responses } }) =>
    Object.entries(responses).flatMap(([status, response]) => {
      const { headers = {} } = resolve(response)
      const wanted = ['429', '503'].includes(status) && response.$ref ? [...names, 'Retry-After'] : names
      // The HTTP server rejects overlong headers before the request is counted.
      if (status === '431') return []
      return wanted.every(name => headers[name]) ? [] : [`${operationId} ${status}`]
    }),
  )
  expect(problems).toEqual([])
  const unlimited = findOperations().filter(({ operation }) => !('429' in operation.responses))
  expect(unlimited).toEqual([])
})

test('patterns use only syntax shared by Python, Go and ECMAScript', () => {
  const patterns = findPatterns([document, BUILTIN_TOOLS.map(({ input, output }) => [input, output])])
  expect(patterns.length).toBeGreaterThan(10)
  // Lookaround, named groups, backreferences, properties, and escapes that one of the languages lacks or interprets
  // differently.
  const special = /\(\?(?!:)|\\(?![xdswSDW.^$|?*+()[\]{}\\-]).|\[\^?\]/
  expect(patterns.filter(pattern => special.test(pattern))).toEqual([])
  for (const pattern of patterns) expect(() => new RegExp(pattern, 'u')).not.toThrow()
})

test('schemas use only features that all client generators support', () => {
  const problems: string[] = []
  const look = (part: unknown, at: string): void => {
    if (typeof part !== 'object' || part === null) return
    const schema = part as Record<string, unknown>
    const types = Array.isArray(schema.type) ? schema.type.filter(type => type !== 'null') : []
    if (types.length > 1) problems.push(`${at}: a list of types`)
    if (typeof schema.const === 'string' && schema.type === undefined) problems.push(`${at}: a constant without type`)
    if (schema.type === 'boolean' && (schema.enum ?? schema.const) !== undefined)
      problems.push(`${at}: a constant boolean`)
    if (schema.type === 'array' && schema.items === undefined) problems.push(`${at}: a list without entries`)
    for (const [key, value] of Object.entries(schema)) look(value, `${at}/${key}`)
  }
  look(document, '')
  expect(problems).toEqual([])
  // A field whose name is also a schema keyword.
  expect(document.components.schemas.PathwaySwitchNode?.properties).toHaveProperty('default')
})

test('unions of named objects declare their discriminator field', () => {
  const unions = Object.values(document.components.schemas).filter(
    ({ oneOf, discriminator }) => oneOf?.some(({ $ref }) => $ref) || discriminator,
  )
  expect(unions.length).toBeGreaterThanOrEqual(3)
  for (const { anyOf = [], oneOf = anyOf, discriminator } of unions) {
    const { propertyName = '', mapping = {} } = discriminator ?? {}
    expect(new Set(Object.values(mapping))).toEqual(new Set(oneOf.map(({ $ref }) => $ref)))
    for (const [value, ref] of Object.entries(mapping)) {
      const { properties } = document.components.schemas[ref.split('/').at(-1) ?? ''] ?? {}
      expect(JSON.stringify(properties?.[propertyName])).toContain(`"${value}"`)
    }
  }
})

test('read-only requests can be repeated safely, and other routes accept an idempotency key', async () => {
  const operations: DeclaredOperation[] = await readOperations(app.client)
  for (const { method, path, isIdempotent } of operations) {
    const declared = document.paths[path]?.[method.toLowerCase()]?.['x-idempotent']
    if (isIdempotent) expect([path, declared]).toEqual([path, 'key'])
    else expect(['safe', 'no']).toContain(declared)
  }
  const safe = findOperations().filter(({ operation }) => operation['x-idempotent'] === 'safe')
  expect(safe.filter(({ method }) => method !== 'get').map(({ operation }) => operation.operationId)).toEqual([
    'recollections.search',
    'pathways.validate',
    'pathways.dryRunDefinition',
    'pathways.dryRun',
    'search.query',
    'browse.list',
    'browse.tree',
    'resources.queryTree',
    'resources.dryRun',
  ])
})

test('after a trial, exactly the routes that write data or start work are rejected', async () => {
  const stopping = new Set([
    'jobs.bulk',
    'jobs.cancel',
    'jobs.pause',
    'shareTokens.revoke',
    'publishableKeys.revoke',
    'members.remove',
    'members.deactivate',
    'webhooks.delete',
    'channels.delete',
    'secrets.delete',
  ])
  const problems: string[] = []
  for (const { method, path, operation } of findOperations()) {
    const { operationId, security = [] } = operation
    if (!security.some(requirement => 'apiKey' in requirement)) continue
    const target = path.replaceAll(/\{\w+\}/g, 'r')
    const { status, body } = await app.client.call<{ code?: string }>(method.toUpperCase(), target)
    const isRefused = status === 403 && body.code === 'trial_expired'
    const mayRefuse = operation['x-idempotent'] !== 'safe' && !stopping.has(operationId)
    if (isRefused !== mayRefuse) problems.push(`${operationId}: ${status} ${body.code}`)
  }
  expect(problems).toEqual([])
})
