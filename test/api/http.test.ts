import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { startApp, type AppUnderTest } from './app-under-test.ts'
import type { Principal } from '../../domain/access/principal.ts'
import type { PathwaysService } from '../../services/pathways/pathways.ts'
import { BRAIN, KEY, PATHWAY, WORKSPACE } from './services.ts'

let app: AppUnderTest
beforeAll(async () => {
  // Built from the request, so that tests see whether the bodies arrive.
  const create: PathwaysService['create'] = async (_, { title = '' }) => ({ ...PATHWAY, title })
  app = await startApp({ pathways: { create } as PathwaysService })
})
afterAll(() => app.drain(0))

const JSON_HEADERS = { 'Content-Type': 'application/json' }
const post = (raw: string | Uint8Array, headers: Record<string, string> = JSON_HEADERS) =>
  app.client.post('/v1/pathways', undefined, { raw, headers })

describe('errors', () => {
  test('an unknown route returns 404, and an unsupported method returns 405 with Allow', async () => {
    expect((await app.client.get('/v1/nothing')).body).toEqual({
      message: 'This route does not exist',
      code: 'NOT_FOUND',
    })
    const answer = await app.client.call('PUT', '/v1/pathways')
    expect(answer).toMatchObject({ status: 405, body: { code: 'METHOD_NOT_ALLOWED' } })
    expect(answer.headers.get('allow')).toBe('HEAD, GET, POST')
    // The path also matches /v1/assets/:id, whose methods do not apply to this resource.
    expect((await app.client.call('PUT', '/v1/assets/ingest')).headers.get('allow')).toBe('POST')
  })

  test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])(
    '%s of a route that is served elsewhere returns 410',
    async method => {
      for (const path of ['/v1/integrations', '/v1/integrations/slack/connect', '/v1/grep']) {
        expect(await app.client.call(method, path)).toMatchObject({ status: 410, body: { code: 'GONE' } })
      }
      expect((await app.client.get('/v1/integrationsx')).status).toBe(404)
    },
  )

  test('a name truncated in an error never ends in half a character', async () => {
    const { status, body } = await app.client.post<{ message: string }>('/v1/jobs', { ['😀'.repeat(200)]: 1 })
    expect([status, body.message.isWellFormed()]).toEqual([400, true])
  })

  test('an unknown error reveals no internals', async () => {
    const answer = await app.client.get('/v1/jobs', { headers: { Authorization: 'Bearer broken' } })
    expect(answer).toMatchObject({
      status: 500,
      body: { message: 'Internal error', code: 'INTERNAL' },
    })
    expect(JSON.stringify(app.lines)).toContain('hunter2')
  })

  test.each([undefined, 'Basic abc', 'Bearer', 'Bearer wrong', `bearer  ${KEY} x`])(
    'credentials %j are rejected',
    async value => {
      const response = await fetch(`${app.url}/v1/jobs`, {
        headers: value === undefined ? {} : { Authorization: value },
      })
      expect(response.status).toBe(401)
      expect(response.headers.get('www-authenticate')).toBe('Bearer')
      expect(await response.json()).toEqual({ message: 'Missing or invalid credentials', code: 'AUTH_REQUIRED' })
    },
  )

  test('a malformed path causes no crash', async () => {
    expect((await app.client.get('/v1/jobs/%E0%A4%A')).status).toBe(404)
    expect((await app.client.get('/v1/jobs/%00')).status).toBe(400)
    expect((await app.client.get(`/v1/jobs/${'x'.repeat(2_000)}`)).status).toBe(400)
  })

  test('a browser from another origin gets no access', async () => {
    const headers = { Origin: 'https://elsewhere.example', 'Access-Control-Request-Method': 'GET' }
    const preflight = await fetch(`${app.url}/v1/jobs`, { method: 'OPTIONS', headers })
    const simple = await fetch(`${app.url}/v1/health`, { headers })
    expect(preflight.status).toBe(405)
    for (const response of [preflight, simple]) expect(response.headers.get('access-control-allow-origin')).toBeNull()
  })

  test('a request that is not HTTP gets a regular error response', async () => {
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1')
    socket.write('NONSENSE\r\n\r\n')
    const [answer] = (await once(socket, 'data')) as [Buffer]
    expect(answer.toString()).toMatch(/^HTTP\/1.1 400 [\s\S]*"code":"VALIDATION_ERROR"/)
  })
})

describe('bodies', () => {
  const definition = { schema: 'pathway/1', nodes: [], edges: [] }
  const fits = JSON.stringify({ title: 'One', definition })

  test('uncompressed and compressed bodies are read', async () => {
    expect((await post(fits)).status).toBe(201)
    expect((await post(new Uint8Array(gzipSync(fits)), { ...JSON_HEADERS, 'Content-Encoding': 'gzip' })).status).toBe(
      201,
    )
    for (const type of ['application/json; charset=UTF-8', 'application/JSON', 'Application/Json; Charset="UTF8"'])
      expect((await post(fits, { 'Content-Type': type })).status).toBe(201)
  })

  test.each([
    ['text/plain', {}],
    ['application/x-www-form-urlencoded', {}],
    ['application/json; charset=latin1', {}],
    ['application/json', { 'Content-Encoding': 'zip' }],
    ['application/json', { 'Content-Encoding': 'constructor' }],
  ])('%s with %j returns 415', async (type, headers) => {
    expect(await post(fits, { 'Content-Type': type, ...headers })).toMatchObject({
      status: 415,
      body: { code: 'UNSUPPORTED_MEDIA_TYPE' },
    })
  })

  test('a body of 5 MB returns 413, and the connection can be reused', async () => {
    const answer = await post(JSON.stringify({ description: 'x'.repeat(5_000_000) }))
    expect(answer).toMatchObject({ status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } })
    expect((await post(fits)).status).toBe(201)
  })

  test('a gzip bomb returns 413', async () => {
    const bomb = new Uint8Array(gzipSync(Buffer.alloc(60_000_000, 0x20)))
    expect(bomb.length).toBeLessThan(65_536)
    expect((await post(bomb, { ...JSON_HEADERS, 'Content-Encoding': 'gzip' })).status).toBe(413)
  })

  test.each([
    ['{"a": abc}', 6, 1, 7],
    ['{"a":1,}', 7, 1, 8],
    ['{"a":}', 5, 1, 6],
    ['{\n  "a": 1\n  "b": 2\n}', 13, 3, 3],
    ['[1 2]', 3, 1, 4],
    ['{"a":01}', 6, 1, 7],
    ['{"a":"\n"}', 5, 1, 6],
    ['{"a":"\\x"}', 5, 1, 6],
    ['{} x', 3, 1, 4],
    ['{"a" 1}', 5, 1, 6],
    ['[1,,2]', 3, 1, 4],
    ['}', 0, 1, 1],
    ['[}', 1, 1, 2],
  ])('the error for malformed JSON %j includes its position', async (raw, position, line, column) => {
    const { status, body } = await post(raw)
    expect(status).toBe(400)
    expect(body.message).toBe(
      `The body is not valid JSON: unexpected character at position ${position} (line ${line}, column ${column})`,
    )
  })

  test.each(['{"a"', '[1,2', '{"a":', '"', '{', 'tru', ' '])(
    'the error for truncated JSON %j reports an unexpected end',
    async raw => {
      const { status, body } = await post(raw)
      expect(status).toBe(400)
      expect(body.message).toMatch(/^The body is not valid JSON: /)
    },
  )

  test('values that cannot be stored or traversed are rejected, and the error includes their location', async () => {
    const start = (levels: number) => {
      const raw = `{"pathway_id":"p","input":${'['.repeat(levels)}${']'.repeat(levels)}}`
      return app.client.post('/v1/jobs', undefined, { raw, headers: JSON_HEADERS })
    }
    expect((await start(63)).status).toBe(202)
    expect((await start(64)).body.message).toContain('must be at most 64 levels deep')
    expect((await start(30_000)).status).toBe(400)
    const refused: [string, string][] = [
      ['{"definition":{"a":["\\u0000"]}}', '/definition/a/0'],
      ['{"definition":{"\\ud800":1}}', '/definition/\ufffd'],
      ['{"definition":{"n":1e999}}', '/definition/n'],
      ['{"definition":{"__proto__":{"polluted":1}}}', '/definition/__proto__'],
    ]
    for (const [raw, pointer] of refused) {
      const { status, body } = await post(raw)
      expect([status, body.details?.[0]?.['pointer']]).toEqual([400, pointer])
    }
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  test('invalid UTF-8 and invalid gzip are rejected', async () => {
    expect((await post(new Uint8Array([0x22, 0xff, 0x22]))).body.message).toBe('The body is not valid UTF-8')
    const answer = await post(fits, { ...JSON_HEADERS, 'Content-Encoding': 'gzip' })
    expect(answer).toMatchObject({ status: 400, body: { message: 'The body is not valid gzip' } })
  })

  test('a caller who disconnects while sending the body causes no error', async () => {
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1')
    socket.write(
      `POST /v1/pathways HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEY}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
    )
    await sleep(50)
    socket.destroy()
    await sleep(50)
    expect((await post(fits)).status).toBe(201)
    expect(app.lines.filter(line => line.msg === 'sending a response failed')).toEqual([])
  })
})

describe('validation', () => {
  test('every problem is listed, with the names of unknown fields', async () => {
    const answer = await app.client.post('/v1/pathways?x=1', { title: 5, slug: '', extra: 1, 'a/b': 2 })
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ code: 'VALIDATION_ERROR' })
    expect(answer.body.details).toEqual(
      expect.arrayContaining([
        { pointer: '/title', message: 'must be a string' },
        { pointer: '/slug', message: expect.stringContaining('lower-case letters') },
        { pointer: '/definition', message: 'is required' },
        { pointer: '/extra', message: 'is not a known field' },
        { pointer: '/a~1b', message: 'is not a known field' },
      ]),
    )
  })

  test.each([
    'limit=0',
    'limit=201',
    'limit=x',
    'limit=',
    'offset=-1',
    'limit=1&limit=2',
    'status=done',
    'offset=1e99',
    'pathway_id=%00',
  ])('GET /v1/jobs?%s returns 400', async query => {
    expect((await app.client.get(`/v1/jobs?${query}`)).status).toBe(400)
  })

  test.each([
    ['/v1/jobs?asked=user:bob&limit=1&mine=true', '/asked', '/mine'],
    ['/v1/interventions?own=true', '/own'],
    ['/v1/assets?path_prefix=/suppliers', '/path_prefix'],
    ['/v1/tools?reflex=erp', '/reflex'],
    ['/v1/pathways/invoice?versio=1', '/versio'],
    ['/v1/jobs/j/stream?after=1-0&share=s', '/share'],
    ['/v1/health?verbose=1', '/verbose'],
  ])('the query of %s is rejected, and the error lists unknown parameters', async (path, ...pointers) => {
    const { status, body } = await app.client.get(path)
    expect([status, body.details]).toEqual([
      400,
      pointers.map(pointer => ({ pointer, message: 'is not a known query parameter' })),
    ])
  })

  test.each([
    ['from=2', '/to', 'is required: a version number or live'],
    ['from=2&to=latest', '/to', 'must be a version number or live'],
  ])('a diff of %s is rejected', async (query, pointer, message) => {
    const { status, body } = await app.client.get(`/v1/resources/skills/s/diff?${query}`)
    expect([status, body.details]).toEqual([400, [{ pointer, message }]])
  })

  test('an unexpected or missing body is rejected', async () => {
    app.jobs.put('j', 'running')
    expect((await app.client.post('/v1/jobs/j/cancel', { force: true })).body.details).toEqual([
      { pointer: '/force', message: 'is not a known field' },
    ])
    expect((await app.client.post('/v1/jobs/j/cancel', {})).status).toBe(200)
    expect((await app.client.post('/v1/jobs/j/cancel')).status).toBe(200)
    expect((await app.client.post('/v1/jobs')).status).toBe(400)
    expect((await app.client.post('/v1/jobs', [])).status).toBe(400)
    expect((await app.client.post('/v1/jobs', null)).status).toBe(400)
  })

  test('the brain from the header or the body is used and checked', async () => {
    const start = async (headers: Record<string, string>, brain_id?: string) => {
      const answer = await app.client.post('/v1/jobs', { pathway_id: 'invoice', brain_id }, { headers })
      const [principal] = app.jobs.calls.at(-1) as [Principal]
      return answer.status === 202 ? principal.brain?.id : answer.status
    }
    expect(await start({})).toBeUndefined()
    expect(await start({ 'X-Brain-Id': BRAIN })).toBe(BRAIN)
    expect(await start({}, BRAIN)).toBe(BRAIN)
    expect(await start({ 'X-Brain-Id': WORKSPACE })).toBe(403)
    expect(await start({ 'X-Brain-Id': BRAIN }, WORKSPACE)).toBe(403)
    expect(await start({}, 'not-a-uuid')).toBe(400)
  })
})

describe('the log', () => {
  test('contains requests and jobs, but no secrets', async () => {
    app.jobs.put('told', 'running')
    const id = 'my-request.1'
    const answer = await app.client.get('/v1/jobs/told/status', { headers: { 'X-Request-Id': id } })
    expect(answer.headers.get('x-request-id')).toBe(id)
    const refused = await app.client.get('/v1/jobs/told/status?t=SECRET&share=SECRET')
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([400, expect.not.stringContaining('SECRET')])
    await sleep(20)
    const line = app.lines.find(({ request_id, msg }) => request_id === id && msg === 'request')
    expect(line).toMatchObject({
      method: 'GET',
      path: '/v1/jobs/told/status',
      status: 200,
      job_id: 'told',
      workspace_id: WORKSPACE,
    })
    expect(JSON.stringify(app.lines)).not.toMatch(new RegExp(`SECRET|${KEY}`))
  })

  test('contains one line per request, whatever its path and headers', async () => {
    const forged = '\n{"level":30,"msg":"forged"}\n\u001b[2J'
    const path = `/v1/jobs/${encodeURIComponent(forged)}/status`
    const before = app.lines.length
    const answer = await app.client.get(path, {
      headers: { 'User-Agent': 'x\t{"msg":"forged"}', 'X-Request-Id': 'one' },
    })
    expect(answer.status).toBe(400)
    await sleep(20)
    const lines = app.lines.slice(before)
    expect(lines.map(({ msg }) => msg)).toEqual(['request'])
    for (const character of ['\\n', '\\u001b']) expect(JSON.stringify(lines)).not.toContain(character)
  })

  test('an invalid request id is replaced', async () => {
    const answer = await app.client.get('/v1/health/live', { headers: { 'X-Request-Id': 'a b<script>' } })
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  })
})

test('an unexpected service error returns 500', async () => {
  const own = await startApp({
    pathways: { list: () => Promise.reject(new RangeError('inner')) } as unknown as PathwaysService,
  })
  expect((await own.client.get('/v1/pathways')).status).toBe(500)
  await own.drain(0)
})
