import { createHealth } from '../../api/routes/shared/health.ts'
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Validator } from '@seriousme/openapi-schema-validator'
import { pino } from 'pino'
import { ok, startApp } from './app-under-test.ts'
import type { AppUnderTest } from './app-under-test.ts'
import { BRAIN, KEY, WORKSPACE } from './services.ts'

let app: AppUnderTest
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.drain(0))

const definition = { schema: 'pathway/1', nodes: [], edges: [] }

test('a run is started from a stored or an inline pathway, once per key', async () => {
  const { client, jobs } = app
  const headers = { 'Idempotency-Key': 'k 1' }
  const answer = await client.post('/v1/pathways/invoice/execute', { input: { b: 1, a: [1] } }, { headers })
  expect(answer).toMatchObject({ status: 202, body: { job_id: 'invoice-1', status: 'pending' } })
  expect(answer.headers.get('location')).toBe('/v1/jobs/invoice-1')
  const [, request, idempotency] = jobs.calls.at(-1) as [unknown, unknown, { body_hash: string }]
  expect(request).toEqual({ pathway_id: 'invoice', input: { b: 1, a: [1] } })
  expect(idempotency).toMatchObject({ key: expect.stringMatching(/ k 1$/), route: 'POST /v1/pathways/invoice/execute' })

  await client.post('/v1/pathways/invoice/execute', undefined, {
    raw: '{ "input" : {"a":[1], "b":1.0} }',
    headers: { ...headers, 'Content-Type': 'application/json' },
  })
  expect((jobs.calls.at(-1) as [unknown, unknown, { body_hash: string }])[2].body_hash).toBe(idempotency.body_hash)

  await client.post('/v1/pathways/another/execute', { input: { b: 1, a: [1] } }, { headers })
  expect((jobs.calls.at(-1) as [unknown, unknown, { body_hash: string }])[2].body_hash).not.toBe(idempotency.body_hash)

  expect((await client.post('/v1/pathways/invoice/execute')).status).toBe(202)
  expect(jobs.calls.at(-1)?.[2]).toBeUndefined()
  expect((await client.post('/v1/jobs', { pathway: definition, data: 5 })).status).toBe(202)
  expect(jobs.calls.at(-1)?.[1]).toEqual({ pathway: definition, input: 5 })
  for (const wrong of [
    {},
    { pathway_id: 'a', pathway: definition },
    { pathway_id: 'a', input: 1, data: 1 },
    { pathway_id: 7 },
  ]) {
    expect((await client.post('/v1/jobs', wrong)).status).toBe(400)
  }
  for (const key of ['', 'x'.repeat(256)]) {
    expect((await client.post('/v1/jobs', { pathway_id: 'a' }, { headers: { 'Idempotency-Key': key } })).status).toBe(
      400,
    )
  }
})

test('for every route, a missing body is treated as an empty body', async () => {
  const { client, jobs } = app
  jobs.put('r', 'running')
  const { paths } = (await client.get<Reference>('/v1/openapi.json')).body
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map(method => ({ method, path })),
  )
  const changing = operations.filter(({ method }) => method !== 'get')
  expect(changing.length).toBeGreaterThan(30)
  for (const { method, path } of changing) {
    const concrete = path
      .replace('{traceId}', 'new')
      .replace('{catalog}', 'skills')
      .replaceAll(/\{\w+\}/g, 'r')
    const send = async (body?: object) => {
      const { status, body: answer } = await client.call(method.toUpperCase(), concrete, body)
      return { operation: `${method} ${path}`, status, answer }
    }
    expect(await send({})).toEqual(await send())
  }
})

test('a repeated request without a body has the same body hash as one with an empty body', async () => {
  const { client, jobs } = app
  const headers = { 'Idempotency-Key': 'k 2' }
  const hashOf = async (body?: object) => {
    await client.post('/v1/pathways/invoice/execute', body, { headers })
    return (jobs.calls.at(-1) as [unknown, unknown, { body_hash: string }])[2].body_hash
  }
  const none = await hashOf()
  expect(await hashOf({})).toBe(none)
  expect(await hashOf({ input: 1 })).not.toBe(none)
  // The brain context is part of the hash instead, however the request specifies it.
  expect(await hashOf({ brain_id: BRAIN })).toBe(none)
})

test('the response to an answer has exactly the documented form', async () => {
  const { client, jobs } = app
  const input = { type: 'intervention_response', interventionId: 'i1', action: 'approve', comment: 'fine' }
  const answer = await client.post('/v1/jobs/j/input', { workspace_id: WORKSPACE.toUpperCase(), input })
  expect(answer).toMatchObject({ status: 200, body: { interventionId: 'i1', action: 'approve' } })
  expect(jobs.calls.at(-1)?.slice(1, 4)).toEqual(['j', 'i1', { action: 'approve', comment: 'fine' }])
  expect((await client.post('/v1/jobs/j/input', { workspace_id: BRAIN, input })).status).toBe(403)
  const wrong = [
    { input },
    { workspace_id: 'x', input },
    { workspace_id: WORKSPACE },
    { workspace_id: WORKSPACE, input: { ...input, type: 'other' } },
    { workspace_id: WORKSPACE, input: { ...input, action: 'maybe' } },
    { workspace_id: WORKSPACE, input: { ...input, interventionId: undefined } },
    { workspace_id: WORKSPACE, input: { ...input, extra: 1 } },
    { workspace_id: WORKSPACE, input: { ...input, answers: { q: 1 } } },
    { workspace_id: WORKSPACE, input: [input] },
  ]
  for (const body of wrong) expect([(await client.post('/v1/jobs/j/input', body)).status, body]).toEqual([400, body])
})

test('jobs and interventions are returned in their documented forms', async () => {
  const { client, jobs } = app
  jobs.put('r', 'running')
  expect((await client.get('/v1/jobs?limit=2&status=running')).body).toMatchObject({ limit: 2, offset: 0 })
  for (const path of ['/v1/jobs/r', '/v1/jobs/r/status'])
    expect((await client.get(path)).body).toMatchObject({ job_id: 'r', status: 'running' })
  expect((await client.get('/v1/jobs/other/status')).status).toBe(404)
  expect((await client.post('/v1/jobs/r/pause')).body).toEqual({ job_id: 'r', status: 'paused' })
  expect((await client.post('/v1/jobs/r/resume')).body).toEqual({ job_id: 'r', status: 'running' })
  expect((await client.post('/v1/jobs/r/resume', { event: 'paid', data: 1 })).status).toBe(200)
  expect((await client.post('/v1/jobs/r/resume', { data: 1 })).status).toBe(400)
  expect((await client.post('/v1/jobs/r/cancel')).body).toEqual({ job_id: 'r', status: 'failed', receipt: [] })
  expect((await client.get('/v1/interventions?status=open&assignee=user:ann')).status).toBe(200)
  expect((await client.get('/v1/interventions/nope')).status).toBe(404)
})

describe('health', () => {
  test('returns the status of all components, and the caller', async () => {
    const anonymous = await fetch(`${app.url}/v1/health`)
    expect(await anonymous.json()).toEqual({
      status: 'ok',
      version: '0.0.0',
      components: {
        postgres: 'ok',
        migrations: 'ok',
        redis: 'ok',
        temporal: 'ok',
        worker: 'ok',
        elasticsearch: 'off',
        speech: 'off',
        models: 'ok',
        search_index: 'off',
      },
    })
    expect((await app.client.get('/v1/health', { headers: { 'X-Brain-Id': BRAIN } })).body).toMatchObject({
      workspace: { id: WORKSPACE, slug: 'acme' },
      brain: { id: BRAIN },
    })
    expect((await app.client.get('/v1/health/live')).body).toEqual({ status: 'ok' })
    expect((await app.client.get('/v1/config')).status).toBe(200)
  })

  test('a component that hangs is reported as down within a second, and is called once', async () => {
    let requestCount = 0
    const hang = () => new Promise<void>(() => (requestCount += 1))
    const probes = {
      postgres: hang,
      migrations: ok,
      redis: () => Promise.reject(new Error('away')),
      temporal: ok,
      worker: ok,
      elasticsearch: null,
      search_index: null,
      speech: null,
      models: ok,
    }
    const own = await startApp({ health: createHealth(probes) })
    const answers = await Promise.all(Array.from({ length: 20 }, () => own.client.get('/v1/health')))
    for (const { status, body } of answers) {
      expect([status, body.status, body.components]).toMatchObject([
        503,
        'down',
        { postgres: 'down', redis: 'down', temporal: 'ok' },
      ])
    }
    await sleep(1_100)
    await own.client.get('/v1/health')
    expect(requestCount).toBe(1)
    await own.drain(0)
  })

  test('readiness names the required components that are down, and waits for no others', async () => {
    const away = () => Promise.reject(new Error('away'))
    const probes = {
      postgres: ok,
      migrations: away,
      redis: ok,
      temporal: () => new Promise<void>(() => undefined),
      worker: away,
      elasticsearch: away,
      search_index: away,
      speech: away,
      models: () => new Promise<void>(() => undefined),
    }
    const own = await startApp({ health: createHealth(probes) })
    expect(await own.client.get('/v1/health/ready')).toMatchObject({
      status: 503,
      body: { status: 'down', missing: ['migrations', 'temporal'] },
    })
    const withoutOthers = await startApp({ health: createHealth({ ...probes, migrations: ok, temporal: ok }) })
    expect(await withoutOthers.client.get('/v1/health/ready')).toMatchObject({
      status: 200,
      body: { status: 'ok', missing: [] },
    })
    withoutOthers.markStopping()
    expect(await withoutOthers.client.get('/v1/health/ready')).toMatchObject({
      status: 503,
      body: { status: 'stopping', missing: [] },
    })
    expect((await withoutOthers.client.get('/v1/health/live')).status).toBe(200)
    await Promise.all([own.drain(0), withoutOthers.drain(0)])
  })

  test('a process that is not ready logs this once, and once that it is ready again', async () => {
    let missing: string[] = []
    const health = async <C extends string>(names: readonly C[]) =>
      Object.fromEntries(names.map(name => [name, missing.includes(name) ? 'down' : 'ok'])) as Record<C, 'ok' | 'down'>
    const own = await startApp({ health })
    const check = async () => (await own.client.get('/v1/health/ready')).status
    for (const outage of [[], ['redis'], ['redis', 'temporal'], [], []]) {
      missing = outage
      expect(await check()).toBe(outage.length > 0 ? 503 : 200)
    }
    await own.drain(0)
    const checks = own.lines.filter(({ path }) => path === '/v1/health/ready')
    expect(checks.map(({ level, status }) => [level, status])).toEqual(
      [200, 503, 503, 200, 200].map(status => [pino.levels.values['debug'], status]),
    )
    expect(own.lines.filter(({ msg }) => msg !== 'request')).toMatchObject([
      { level: pino.levels.values['warn'], msg: 'API is not ready', missing: ['redis'] },
      { level: pino.levels.values['info'], msg: 'API is ready again' },
    ])
  })
})

interface Operation {
  requestBody: { content: { 'application/json': { schema: { properties: Record<string, { pattern?: string }> } } } }
}

function patternsIn(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return []
  const own = 'pattern' in part && typeof part.pattern === 'string' ? [part.pattern] : []
  return [...own, ...Object.values(part).flatMap(patternsIn)]
}

interface Schema {
  $ref?: string
  anyOf?: Schema[]
  oneOf?: Schema[]
  properties?: Record<string, object>
}

interface Reference extends Record<string, unknown> {
  paths: Record<
    string,
    Record<
      string,
      {
        operationId: string
        responses: Record<string, { $ref: string } | { content?: Record<string, { schema: Schema }> }>
        parameters?: { name: string; in: string }[]
        requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> }
        security?: object[]
      }
    >
  >
  components: { schemas: Record<string, Schema> }
}

describe('the reference', () => {
  test('is a valid OpenAPI 3.1 document', async () => {
    const { body } = await app.client.get<Reference>('/v1/openapi.json')
    const validator = new Validator()
    expect(await validator.validate(structuredClone(body))).toEqual({ valid: true })
    expect(validator.version).toBe('3.1')
    expect(Object.keys(body.paths).filter(path => !path.startsWith('/v1/'))).toEqual([])
    const operations = Object.values(body.paths).flatMap(path => Object.values(path))
    const ids = operations.map(({ operationId }) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.filter(id => !/^[a-z][A-Za-z]*\.[a-z][A-Za-z]*$/.test(id))).toEqual([])
    expect(ids).toContain('jobs.answer')
  })

  test('names the schema of every JSON response, and shares error responses', async () => {
    const { body } = await app.client.get<Reference>('/v1/openapi.json')
    const problems = Object.values(body.paths).flatMap(path =>
      Object.values(path).flatMap(({ operationId, responses }) =>
        Object.entries(responses).flatMap(([status, response]) => {
          if ('$ref' in response) return response.$ref.startsWith('#/components/responses/') ? [] : [operationId]
          const { schema } = response.content?.['application/json'] ?? {}
          const isNamed = schema === undefined || schema.$ref !== undefined
          return isNamed || Number(status) >= 400 ? [] : [`${operationId} ${status}`]
        }),
      ),
    )
    expect(problems).toEqual([])
  })

  test('declares the brain context for every route: a header, and a field in every request body', async () => {
    const { paths, components } = (await app.client.get<Reference>('/v1/openapi.json')).body
    const hasBrain = ({ $ref, anyOf, oneOf = anyOf, properties }: Schema): boolean => {
      if ($ref !== undefined) return hasBrain(components.schemas[$ref.split('/').at(-1) ?? ''] ?? {})
      return properties ? properties['brain_id'] !== undefined : oneOf !== undefined && oneOf.every(hasBrain)
    }
    const missing = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { parameters = [], requestBody, security }]) => {
        const isPublic = security?.length === 0
        const inHeader = parameters.some(({ name, in: place }) => place === 'header' && name === 'X-Brain-Id')
        const bodies = Object.values(requestBody?.content ?? {})
        const isWhole = bodies.length > 0 === !['get', 'delete'].includes(method)
        const inBody = isWhole && bodies.every(({ schema }) => hasBrain(schema))
        return isPublic || (inHeader && inBody) ? [] : [`${method} ${path}`]
      }),
    )
    expect(missing).toEqual([])
  })

  test('is sent compressed, and not sent again to clients that have it cached', async () => {
    const url = `${app.url}/v1/openapi.json`
    const plain = await fetch(url, { headers: { 'Accept-Encoding': 'identity' } })
    expect([plain.headers.get('content-encoding'), plain.headers.get('vary')]).toEqual([null, 'Accept-Encoding'])
    const packed = await fetch(url, { headers: { 'Accept-Encoding': 'gzip' } })
    expect(packed.headers.get('content-encoding')).toBe('gzip')
    expect(await packed.json()).toEqual(await plain.json())
    const known = { 'If-None-Match': packed.headers.get('etag') ?? '', 'Cache-Control': 'max-age=0' }
    expect((await fetch(url, { headers: known })).status).toBe(304)
  })

  test('declares patterns that compile and match values that the API accepts', async () => {
    const { body } = await app.client.get<Reference>('/v1/openapi.json')
    const declared = patternsIn(body)
    expect(declared.length).toBeGreaterThan(100)
    for (const pattern of declared) {
      expect(() => new RegExp(pattern, 'u')).not.toThrow()
      expect(pattern).not.toMatch(/\/[a-z]+$/)
    }
    const create = body.paths['/v1/pathways']?.post as unknown as Operation
    const { title, slug } = create.requestBody.content['application/json'].schema.properties
    expect('Größe & Preis').toMatch(new RegExp(title?.pattern ?? '', 'u'))
    expect('a\u0000b').not.toMatch(new RegExp(title?.pattern ?? '', 'u'))
    expect('grosse-preis').toMatch(new RegExp(slug?.pattern ?? '', 'u'))
    const mediaType = declared.filter(pattern => new RegExp(pattern, 'u').test('Text/Markdown'))
    expect(mediaType.some(pattern => pattern.includes('/'))).toBe(true)
  })

  test('describes the shape of a receptor response', async () => {
    const { body } = await app.client.get<Reference>('/v1/openapi.json')
    const read = body.paths['/v1/receptors/{id}']?.get
    expect(read).toMatchObject({ description: 'The field `receptor` contains the receptor.' })
  })

  test('serves the page and its script under a strict Content Security Policy', async () => {
    const { body, headers } = await app.client.get<string>('/v1/docs')
    const start = /<script>(.*)<\/script>/s.exec(body)?.[1] ?? ''
    const hash = createHash('sha256').update(start).digest('base64')
    const policy = headers.get('content-security-policy')
    expect(policy).toContain(`default-src 'none'; script-src 'self' 'sha256-${hash}';`)
    expect(policy).toContain("connect-src 'self'")
    expect(body).not.toMatch(/https?:\/\/|@import/i)
    const script = await fetch(`${app.url}/v1/docs/reference.js`)
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect((await script.text()).includes('createApiReference')).toBe(true)
    const plain = await fetch(`${app.url}/v1/docs/reference.js`, { headers: { 'Accept-Encoding': 'identity' } })
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect((await plain.text()).includes('createApiReference')).toBe(true)
    const known = { 'If-None-Match': script.headers.get('etag') ?? '', 'Cache-Control': 'max-age=0' }
    const again = await fetch(`${app.url}/v1/docs/reference.js`, { headers: known })
    expect(again.status).toBe(304)
  })

  test('short addresses redirect to the console, the reference and the health page', async () => {
    const open = async (path: string, Accept: string) => {
      const { status, headers } = await fetch(`${app.url}${path}`, { redirect: 'manual', headers: { Accept } })
      return [status, headers.get('location')]
    }
    const browser = 'text/html,application/xhtml+xml,*/*;q=0.8'
    expect(await open('/', browser)).toEqual([302, '/console/'])
    expect(await open('/', '*/*')).toEqual([404, null])
    expect(await open('/docs', '*/*')).toEqual([302, '/v1/docs'])
    expect(await open('/health', '*/*')).toEqual([302, '/v1/health'])
  })

  test('head requests are answered', async () => {
    const response = await fetch(`${app.url}/v1/jobs`, { method: 'HEAD', headers: { Authorization: `Bearer ${KEY}` } })
    expect([response.status, await response.text()]).toEqual([200, ''])
  })
})
