import { pino } from 'pino'
import { randomUUID } from 'node:crypto'
import type { Config } from '../../../config/config.ts'
import type { Secrets as SecretSettings } from '../../../config/secrets.ts'
import { createOutbound, type Outbound } from '../../../services/tools/outbound/client.ts'
import { createSecrets } from '../../../activities/tools/secrets.ts'
import { createBuiltins } from '../../../activities/tools/builtin/builtin.ts'
import { createToolExecutor } from '../../../activities/tools/tool-executor.ts'
import type { ToolExecutor } from '../../../activities/tools/types.ts'
import { RIGHTS } from '../../../domain/access/rights.ts'
import type { JobRef } from '../../../domain/runs/jobs.ts'
import type { JsonObject, JsonValue } from '../../../domain/shared/json/json.ts'
import { createIdempotencyKeys } from '../../../services/shared/idempotency.ts'
import { createSecretSource } from '../../../services/tools/secrets/secret-source.ts'
import { evaluator } from '../../support/documents/evaluator.ts'
import { createTestDatabase, type TestDatabase } from '../../support/stack/database.ts'
import { startHttpServer, type TestServer } from '../../support/stack/http-server.ts'
import { waitUntil } from '../../support/stack/process.ts'
import { createSpine } from '../../support/resources/spine.ts'
import { type ApiServer, type McpTestServer, startApiServer, startMcpServer } from '../../support/tools/tool-servers.ts'
import { createPrincipal } from '../../support/shared/workspace.ts'
import type { ResourcesService } from '../../../services/resources/resources.ts'
import type { SearchService } from '../../../services/search/search.ts'

const VALUE = 'Bearer s3cret-of-"the"-tests'

let database: TestDatabase
let resources: ResourcesService
let principal: Awaited<ReturnType<typeof createPrincipal>>
let api: ApiServer
let mcp: McpTestServer
let elsewhere: TestServer
let outbound: Outbound
let toolbox: ToolExecutor
const outbounds: Outbound[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  ;({ resources } = createSpine(database.db))
  principal = await createPrincipal(database.db)
  ;[api, mcp] = await Promise.all([startApiServer(), startMcpServer()])
  elsewhere = await startHttpServer((request, response) => response.end(JSON.stringify(request.headers)))
  toolbox = createBox()
})
afterAll(async () => {
  await Promise.all([api.close(), mcp.close(), elsewhere.close(), ...outbounds.map(each => each.close())])
  await database.drop()
})

const search: SearchService = {
  search: (_, { query }) => Promise.resolve({ matches: [], took_ms: 1, mode: 'hybrid', query }) as never,
  countFailures: async () => 0,
}

/** Creates a toolbox with these settings, like a worker. */
function createBox(
  given: { allow?: string[]; secrets?: SecretSettings; timeoutMs?: number } & Partial<Config> = {},
): ToolExecutor {
  const { allow = ['127.0.0.0/8'], secrets = {}, timeoutMs = 5_000, TOOL_OUTPUT_MAX_BYTES = 65_536 } = given
  const { db } = database
  const log = pino({ level: 'silent' })
  outbound = createOutbound({ allow, components: [], timeoutMs, maxBytes: 1_000_000 })
  outbounds.push(outbound)
  const extractor = { extract: () => Promise.reject(new Error('this test reads no large page')) }
  return createToolExecutor({
    db,
    outbound,
    secrets: createSecrets({ source: createSecretSource({ db, secrets, encryption: undefined, log }), allow, log }),
    builtins: createBuiltins({
      db,
      resources,
      search,
      outbound,
      extractor,
      idempotencyKeys: createIdempotencyKeys({ hours: 1 }),
      evaluator,
      readFileText: () => Promise.reject(new Error('this test reads no file')),
    }),
    evaluator,
    config: { TOOL_OUTPUT_MAX_BYTES, OUTBOUND_TIMEOUT_SECONDS: timeoutMs / 1_000 },
  })
}

interface CallOptions {
  box?: ToolExecutor
  signal?: AbortSignal
  key?: string
  job?: Partial<JobRef>
}

const made = new Map<string, Promise<{ id: string; version: number }>>()
/** Returns the reflex of a document. */
const reflex = (document: object) => {
  const text = JSON.stringify(document)
  const known = made.get(text) ?? resources.create(principal, 'reflexes', { title: `Reflex ${made.size}`, document })
  made.set(text, known)
  return known
}

async function call(document: object, name: string, args: JsonObject = {}, options: CallOptions = {}) {
  const { box = toolbox, signal = new AbortController().signal, key = randomUUID() } = options
  const { id: reflex_id, version } = await reflex(document)
  const { workspace_id, first_brain: brain_id } = principal
  const job: JobRef = {
    job_id: 'job-1',
    root_job_id: 'job-1',
    workspace_id,
    brain_id,
    people: [],
    rights: [...RIGHTS],
    ...options.job,
  }
  const tool = { reflex_id, version, name }
  return box.call({ job, tool, args, idempotency_key: key, requester: 'user:ann' }, { signal })
}

interface Failure {
  code: string
  message: string
  retryable: boolean
  retryAfterMs?: number
}

const failure = (calling: Promise<unknown>): Promise<Failure> =>
  calling.then(
    given => Promise.reject(new Error(`it was expected to fail, and gave ${JSON.stringify(given)}`)),
    (error: Failure) => error,
  )

const pets = (more: object = {}) => ({ source: 'openapi', openapi: api.document, server_url: `${api.url}/v1`, ...more })
const http = (url: string, method = 'GET') => ({ method, path: new URL(url).pathname, server: new URL(url).origin })
const oneTool = (url: string, more: object = {}) => ({
  source: 'openapi',
  tools: [{ name: 'get', http: http(url) }],
  ...more,
})
/** Expects that no part of the secret appears. */
const expectNoSecret = (given: unknown) => expect(JSON.stringify(given)).not.toContain('s3cret')

describe('a tool of an HTTP API', () => {
  test('is called at its described address, with its arguments in place', async () => {
    const { output } = await call(pets(), 'listPets', { tags: ['a b', 'c&d'], limit: 3 })
    expect(output).toMatchObject({ method: 'GET', url: '/v1/pets?tags=a+b&tags=c%26d&limit=3' })
    const posted = await call(pets(), 'addPet', { body: { name: 'Rex' } }, { key: 'key-1' })
    expect(posted.output).toMatchObject({
      method: 'POST',
      body: '{"name":"Rex"}',
      headers: { 'content-type': 'application/json', 'idempotency-key': 'key-1' },
    })
  })

  test('sends an Idempotency-Key only with writes', async () => {
    const { output } = await call(pets(), 'getPet', { id: '7' })
    expect((output as { headers: object }).headers).not.toHaveProperty('idempotency-key')
  })

  test('accepts only valid arguments, and lists invalid ones without their values', async () => {
    const before = api.calls.length
    const { code, message, retryable } = await failure(
      call(pets(), 'addPet', { body: { name: 'hidden-value-that-is-much-too-long' }, more: 1 }),
    )
    expect([code, retryable]).toEqual(['TOOL_ARGUMENTS_INVALID', false])
    expect(message).toContain('/body/name')
    expect(message).toContain('must not have the field "more"')
    expect(message).not.toContain('hidden-value')
    expect(api.calls).toHaveLength(before)
  })

  test.each(['..', '.', ''])('never leaves its base path with %p', async id => {
    expect((await failure(call(pets(), 'getPet', { id }))).code).toBe('TOOL_ARGUMENTS_INVALID')
  })

  test('keeps path-like arguments within their segment', async () => {
    const { output } = await call(pets(), 'getPet', { id: '../../admin?x=1#y' })
    expect(output).toMatchObject({ url: '/v1/pets/..%2F..%2Fadmin%3Fx%3D1%23y' })
  })

  test.each([
    [404, 'TOOL_FAILED', false],
    [503, 'TOOL_UNAVAILABLE', true],
    [429, 'TOOL_UNAVAILABLE', true],
  ])('that responds with %d fails with %s', async (status, code, retryable) => {
    api.answers.set('/v1/pets', [{ status, headers: { 'retry-after': '2' }, body: 'no pets today' }])
    const error = await failure(call(pets(), 'listPets'))
    expect(error).toMatchObject({ code, retryable })
    expect(error.message).toContain('no pets today')
    expect(error.retryAfterMs).toBe(retryable ? 2_000 : undefined)
  })

  test('that is missing or too slow fails with a retryable error', async () => {
    const gone = await startHttpServer(() => undefined)
    await gone.close()
    expect(await failure(call(oneTool(`${gone.url}/x`), 'get'))).toMatchObject({
      code: 'TOOL_UNAVAILABLE',
      retryable: true,
    })
    const box = createBox({ timeoutMs: 300 })
    expect(await failure(call(pets(), 'getPet', { id: 'slow' }, { box }))).toMatchObject({
      code: 'TOOL_UNAVAILABLE',
      retryable: true,
    })
  })

  test('is abandoned when the call is cancelled', async () => {
    const cancel = new AbortController()
    const calling = call(pets(), 'getPet', { id: 'slow-1' }, { signal: cancel.signal })
    await waitUntil(() => api.calls.some(({ url }) => url.endsWith('slow-1')))
    cancel.abort(new Error('cancelled by ann'))
    await expect(calling).rejects.toThrow('cancelled by ann')
  })

  test('at a private address is blocked, unless the address is allowlisted', async () => {
    const box = createBox({ allow: [] })
    expect(await failure(call(pets(), 'listPets', {}, { box }))).toMatchObject({
      code: 'BLOCKED_ADDRESS',
      retryable: false,
    })
  })

  test('truncates large results, and reports the truncation', async () => {
    api.answers.set('/v1/pets', [{ status: 200, headers: { 'content-type': 'text/plain' }, body: 'ü'.repeat(2_000) }])
    const { output, truncated } = await call(
      pets(),
      'listPets',
      {},
      { box: createBox({ TOOL_OUTPUT_MAX_BYTES: 1_025 }) },
    )
    expect(truncated).toBe(true)
    expect(output).toBe(`${'ü'.repeat(512)}\n\n[cut here: 1025 of 4000 bytes are shown]`)
  })
})

describe('a tool of an MCP server', () => {
  const server = (path = '') => ({ source: 'mcp', url: `${mcp.url}/mcp${path}` })
  const tools = (...names: string[]) => names.map(name => ({ name: name.replace('.', '_'), mcp: { name } }))
  const weather = (more: object = {}) => ({
    ...server(),
    tools: tools('weather.today', 'book', 'fail', 'big', 'echo_credentials', 'slow'),
    ...more,
  })

  test('returns its text or structured content, and gets the idempotency key in _meta', async () => {
    expect(await call(weather(), 'weather_today', { city: 'Rome' }, { key: 'k-7' })).toEqual({
      output: 'Sun over Rome',
    })
    expect(mcp.calls.at(-1)).toMatchObject({ args: { city: 'Rome' }, meta: { idempotency_key: 'k-7' } })
    expect((await call(weather(), 'book', { people: 4 })).output).toEqual({ booked: 4 })
  })

  test('is called with the 2025 revision if its server supports no newer one', async () => {
    const older = await startMcpServer('legacy')
    const called = { ...weather(), url: `${older.url}/mcp` }
    expect((await call(called, 'weather_today', { city: 'Rome' }, { key: 'k-8' })).output).toBe('Sun over Rome')
    expect(older.calls).toMatchObject([{ args: { city: 'Rome' }, meta: { idempotency_key: 'k-8' } }])
    expect(await failure(call(called, 'fail'))).toMatchObject({ code: 'TOOL_FAILED', retryable: false })
    await older.close()
  })

  test('that fails reports its failure, and is not retried', async () => {
    const error = await failure(call(weather(), 'fail'))
    expect(error).toMatchObject({ code: 'TOOL_FAILED', retryable: false })
    expect(error.message).toContain('It is broken')
    expect(await failure(call({ ...server(), tools: tools('unheard_of') }, 'unheard_of'))).toMatchObject({
      code: 'TOOL_FAILED',
    })
  })

  test('is limited in size and time', async () => {
    expect(await call(weather(), 'big')).toMatchObject({
      truncated: true,
      output: expect.stringContaining('[cut here: '),
    })
    const error = await failure(call(weather(), 'slow', {}, { box: createBox({ timeoutMs: 500 }) }))
    expect(error).toMatchObject({ code: 'TOOL_UNAVAILABLE', retryable: true })
  })

  test('is notified of a cancel', async () => {
    const before = mcp.cancelled.length
    const cancel = new AbortController()
    const running = mcp.calls.length
    const calling = call(weather(), 'slow', {}, { signal: cancel.signal })
    await waitUntil(() => mcp.calls.length > running)
    cancel.abort(new Error('cancelled by ann'))
    await expect(calling).rejects.toThrow('cancelled by ann')
    await waitUntil(() => mcp.cancelled.length > before)
  })

  test('is unavailable if its server is overloaded, disconnected or speaks another protocol', async () => {
    const at = (path: string) => failure(call({ ...server(), url: `${mcp.url}${path}`, tools: tools('any') }, 'any'))
    expect(await at('/away')).toMatchObject({ code: 'TOOL_UNAVAILABLE', retryable: true, retryAfterMs: 7_000 })
    expect(await at('/cut')).toMatchObject({ code: 'TOOL_UNAVAILABLE', retryable: true })
    expect(await failure(call({ source: 'mcp', url: elsewhere.url, tools: tools('any') }, 'any'))).toMatchObject({
      code: 'TOOL_FAILED',
    })
  })

  test('on a server at a private address is blocked, unless the address is allowlisted', async () => {
    expect(
      await failure(call(weather(), 'weather_today', { city: 'x' }, { box: createBox({ allow: [] }) })),
    ).toMatchObject({
      code: 'BLOCKED_ADDRESS',
    })
  })

  test('gets its secret, and cannot reveal the secret', async () => {
    const box = createBox({ secrets: { token: { value: VALUE, hosts: [new URL(mcp.url).host] } } })
    const document = weather({ secrets: { Authorization: 'token' } })
    await call(document, 'weather_today', { city: 'Rome' }, { box })
    expect(mcp.calls.at(-1)?.authorization).toBe(VALUE)
    expect((await call(document, 'echo_credentials', {}, { box })).output).toBe('You sent [redacted]')
    const error = await failure(call(document, 'fail', {}, { box }))
    expect(error.message).toContain('[redacted]')
    expectNoSecret(error.message)
  })
})

describe('a secret', () => {
  const host = () => new URL(api.url).host
  const withSecret = (more: object = {}) => pets({ secrets: { Authorization: 'pet-token' }, ...more })
  const boxWith = (settings: Partial<SecretSettings[string]>) =>
    createBox({ secrets: { 'pet-token': { value: VALUE, hosts: [host()], ...settings } } })

  test('is sent to its host, and redacted from the response', async () => {
    const { output } = await call(withSecret(), 'getPet', { id: '1' }, { box: boxWith({}) })
    expect(api.calls.at(-1)?.headers.authorization).toBe(VALUE)
    expect(output).toMatchObject({ headers: { authorization: '[redacted]' } })
    expectNoSecret(output)
  })

  test('is redacted from errors, whether escaped or not', async () => {
    const body = JSON.stringify({ error: `not ${VALUE} nor s3cret-of-"the"-tests` })
    api.answers.set('/v1/pets', [
      { status: 401, body },
      { status: 500, headers: { 'content-type': 'text/plain' }, body: `bad ${VALUE}` },
    ])
    for (const code of ['TOOL_FAILED', 'TOOL_UNAVAILABLE']) {
      const error = await failure(call(withSecret(), 'listPets', {}, { box: boxWith({}) }))
      expect(error.code).toBe(code)
      expectNoSecret(error.message)
    }
  })

  test.each<[string, () => ToolExecutor]>([
    ['that is not configured', () => createBox()],
    ['for another host', () => boxWith({ hosts: ['api.example.com'] })],
    ['for another port', () => boxWith({ hosts: ['127.0.0.1:1'] })],
    ['for another workspace', () => boxWith({ workspaces: ['others'] })],
  ])('%s is not sent, and the call is not made', async (_, box) => {
    const before = api.calls.length
    const error = await failure(call(withSecret(), 'listPets', {}, { box: box() }))
    expect(error).toMatchObject({ code: 'SECRET_NOT_AVAILABLE', retryable: false })
    expect(error.message).toContain('"pet-token"')
    expect(error.message).toContain(host())
    expectNoSecret(error.message)
    expect(api.calls).toHaveLength(before)
  })

  test('is sent for its workspaces, listed by slug or id', async () => {
    for (const workspace of [principal.workspace_slug, principal.workspace_id]) {
      await call(withSecret(), 'listPets', {}, { box: boxWith({ workspaces: [workspace] }) })
      expect(api.calls.at(-1)?.headers.authorization).toBe(VALUE)
    }
  })

  test('is not sent without TLS, except to allowlisted private addresses', async () => {
    const box = createBox({ allow: [], secrets: { 'pet-token': { value: VALUE, hosts: ['192.0.2.7'] } } })
    const document = oneTool('http://192.0.2.7/x', { secrets: { Authorization: 'pet-token' } })
    expect((await failure(call(document, 'get', {}, { box }))).code).toBe('SECRET_NOT_AVAILABLE')
  })

  test('is not sent when a redirect leads to another origin', async () => {
    api.answers.set('/v1/pets', [{ status: 307, headers: { location: `${elsewhere.url}/caught` } }])
    const { output } = await call(withSecret(), 'listPets', {}, { box: boxWith({}) })
    expect(output).toContain('"user-agent":"ganglion"')
    expect(output).not.toContain('authorization')
  })
})

interface Output {
  [key: string]: JsonValue
  id: string
  text: string
  next_offset: number
  now: string
}

describe('a built-in tool', () => {
  const builtin = (name: string, args: JsonObject, options: CallOptions = {}) => call({}, name, args, options)
  const outputOf = async (name: string, args: JsonObject, options: CallOptions = {}) =>
    (await builtin(name, args, options)).output as Output

  test('evaluates CEL expressions, within limits', async () => {
    expect(await outputOf('calculate', { expression: 'a * 2 + b', variables: { a: 4, b: 0.5 } })).toEqual({
      result: 8.5,
    })
    expect((await failure(builtin('calculate', { expression: '1 +' }))).code).toBe('TOOL_FAILED')
    expect((await failure(builtin('calculate', { expression: 'x', variables: { 'no name': 1 } }))).code).toBe(
      'TOOL_ARGUMENTS_INVALID',
    )
  })

  test('returns the local time for a place', async () => {
    const { now, local } = await outputOf('current_time', { time_zone: 'Asia/Tokyo' })
    expect(Number.isNaN(Date.parse(now))).toBe(false)
    expect(local).toContain('9')
    expect((await failure(builtin('current_time', { time_zone: 'Mars/Base' }))).code).toBe('TOOL_ARGUMENTS_INVALID')
  })

  test('writes an artifact once per key, and reads the artifact', async () => {
    const args = { title: 'Report', content: 'First.' }
    const first = await outputOf('write_artifact', args, { key: 'w-1' })
    expect(await outputOf('write_artifact', args, { key: 'w-1' })).toEqual(first)
    const more = { id: first.id, content: ' Second.' }
    await outputOf('write_artifact', more, { key: 'w-2' })
    await outputOf('write_artifact', more, { key: 'w-2' })
    const read = await outputOf('read_resource', { type: 'artifacts', id: first.id })
    expect(read).toMatchObject({ text: 'First. Second.', version: 2, title: 'Report' })
    const { data } = await resources.history(principal, 'artifacts', first.id, { limit: 10, offset: 0 })
    expect(data.map(({ author }) => author)).toEqual(['user:ann', 'user:ann'])
    await outputOf('write_artifact', { ...more, content: 'New', mode: 'replace' })
    expect(await outputOf('read_resource', { type: 'artifacts', id: first.id })).toMatchObject({
      text: 'New',
    })
    const old = await outputOf('read_resource', { type: 'artifacts', id: first.id, version: 1 })
    expect(old).toMatchObject({ text: 'First.' })
  })

  test('reads a long text page by page', async () => {
    const content = 'äb'.repeat(15_000)
    const { id } = await outputOf('write_artifact', { title: 'Long', content })
    const first = await outputOf('read_resource', { type: 'artifacts', id: id })
    const rest = await outputOf('read_resource', {
      type: 'artifacts',
      id: id,
      offset: first.next_offset,
    })
    expect(first.text + rest.text).toBe(content)
    expect(rest).not.toHaveProperty('next_offset')
  })

  test('can only do what the rights of its run allow', async () => {
    const { id } = await outputOf('write_artifact', { title: 'Of the workspace', content: 'x' })
    const stranger = await createPrincipal(database.db)
    const job = { workspace_id: stranger.workspace_id }
    expect((await failure(builtin('read_resource', { type: 'artifacts', id: id }, { job }))).code).toBe('TOOL_UNKNOWN')
    const bound = { brain_ids: [randomUUID()] }
    expect(await failure(builtin('write_artifact', { title: 'x', content: 'x' }, { job: bound }))).toMatchObject({
      code: 'TOOL_FAILED',
    })
    expect(await failure(builtin('read_resource', { type: 'artifacts', id: randomUUID() }))).toMatchObject({
      code: 'TOOL_FAILED',
      message: 'Artifact does not exist',
    })
  })

  test('returns a web page as Markdown and JSON as JSON, but fetches nothing private', async () => {
    const html = '<html><nav>menu</nav><h1>News</h1><p>It rains.</p><script>x</script></html>'
    api.answers.set('/page', [{ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: html }])
    expect((await outputOf('http_fetch', { url: `${api.url}/page` }))['content']).toBe('# News\n\nIt rains.')
    expect(await outputOf('http_fetch', { url: `${api.url}/data` })).toMatchObject({
      content: { method: 'GET', url: '/data' },
    })
    api.answers.set('/photo', [{ status: 200, headers: { 'content-type': 'image/png' }, body: 'x' }])
    expect((await failure(builtin('http_fetch', { url: `${api.url}/photo` }))).code).toBe('TOOL_FAILED')
    const box = createBox({ allow: [] })
    expect((await failure(builtin('http_fetch', { url: 'http://169.254.169.254/' }, { box }))).code).toBe(
      'BLOCKED_ADDRESS',
    )
  })

  test.each(['ask_human', 'remember', 'recall'])('%s is only available to neurons', async name => {
    const args: Record<string, JsonObject> = {
      ask_human: { question: '?' },
      remember: { text: 'x' },
      recall: { query: 'x' },
    }
    expect((await failure(builtin(name, args[name] ?? {}))).code).toBe('TOOL_UNKNOWN')
  })
})

test('a missing tool, or a tool in a disabled reflex, is not called', async () => {
  expect((await failure(call({}, 'fly'))).code).toBe('TOOL_UNKNOWN')
  const off = await resources.create(principal, 'reflexes', { title: 'Off', is_active: false })
  const tool = { reflex_id: off.id, version: 1, name: 'calculate' }
  const { workspace_id, first_brain: brain_id } = principal
  const job = { job_id: 'j', root_job_id: 'j', workspace_id, brain_id, people: [], rights: [] }
  const request = { job, tool, args: { expression: '1' }, idempotency_key: 'k', requester: 'user:ann' }
  const { signal } = new AbortController()
  expect((await failure(toolbox.call(request, { signal }))).message).toContain('is inactive')
  expect((await failure(toolbox.call({ ...request, tool: { ...tool, version: 9 } }, { signal }))).code).toBe(
    'TOOL_UNKNOWN',
  )
})

test('a tool can be called by the prefixed name that distinguishes it from a tool in another reflex', async () => {
  const document = { ...pets(), description: 'named' }
  const { id } = await reflex(document)
  const { slug } = await resources.read(principal, 'reflexes', id)
  const { output } = await call(document, `${slug.replaceAll('-', '_')}_getPet`, { id: '1' })
  expect(output).toMatchObject({ url: '/v1/pets/1' })
})
