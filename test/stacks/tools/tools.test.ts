import { createHash } from 'node:crypto'
import { select } from '../../../data/shared/statements.ts'
import { pick } from '../../../data/shared/table.ts'
import { idempotencyKeysTable } from '../../../data/access/tables.ts'
import type { JobDetail } from '../../../contract/runs/job.ts'
import { waitUntil } from '../../support/stack/process.ts'
import { readEvents, jobWith, pathway, startRun } from '../../support/runs/runs.ts'
import { type Stack, startStack, type TestWorkspace } from '../../support/stack/stack.ts'
import { type ApiServer, type McpTestServer, startApiServer, startMcpServer } from '../../support/tools/tool-servers.ts'
import type { ReflexView, SavedReflex } from '../../../contract/tools/reflex.ts'

const VALUE = 'Bearer s3cret-of-the-tests'

let api: ApiServer
let mcp: McpTestServer
let stack: Stack
let workspace: TestWorkspace

beforeAll(async () => {
  ;[api, mcp] = await Promise.all([startApiServer(), startMcpServer()])
  const hosts = [new URL(api.url).host, new URL(mcp.url).host]
  stack = await startStack({ env: { SECRETS: JSON.stringify({ token: { value: VALUE, hosts } }) } })
  workspace = await stack.workspace({ actor: 'user:ann' })
})
afterAll(() => Promise.all([stack?.stop(), api?.close(), mcp?.close()]))

interface Failure {
  code: string
  message: string
  details?: { pointer: string; message: string }[]
}
interface Listed {
  data: { name: string; source: string; effect: string; reflex: { slug: string; version: number } }[]
  pagination: { total: number }
}

async function create(fields: object): Promise<SavedReflex> {
  const { status, body } = await workspace.client.post<SavedReflex>('/v1/reflexes', fields)
  expect([status, body]).toMatchObject([201, {}])
  return body
}
async function discovered(fields: object): Promise<ReflexView> {
  const { id, job_id } = await create(fields)
  const job = await jobWith(workspace.client, String(job_id))
  expect(job).toMatchObject({ status: 'completed', kind: 'discover', result: { reflex_id: id, version: 2 } })
  return (await workspace.client.get<ReflexView>(`/v1/reflexes/${id}`)).body
}
const call = <T = { output: unknown; job_id: string }>(name: string, body: object, headers?: Record<string, string>) =>
  workspace.client.post<T>(`/v1/tools/${name}/call`, body, { headers })

describe('reflexes', () => {
  test('from a URL are fetched by a job, which creates a version on behalf of the requester', async () => {
    const pets = await discovered({ title: 'Pets', source: 'openapi', url: `${api.url}/openapi.json` })
    expect(pets.tools.map(({ name, effect }) => [name, effect])).toEqual([
      ['getPet', 'read'],
      ['listPets', 'read'],
      ['addPet', 'write'],
    ])
    const { body } = await workspace.client.get<{ data: { author: string; note: string }[] }>(
      '/v1/reflexes/pets/history',
    )
    expect(body.data[0]).toMatchObject({ author: 'user:ann', note: expect.stringContaining('Tools as listed at') })

    const weather = await discovered({ title: 'Weather', source: 'mcp', url: `${mcp.url}/mcp` })
    expect(weather.tools.map(({ name, effect }) => [name, effect])).toEqual([
      ['weather_today', 'read'],
      ['book', 'write'],
      ['fail', 'idempotent'],
      ['big', 'write'],
      ['echo_credentials', 'write'],
      ['slow', 'write'],
    ])
  })

  test('are refreshed without a new version if nothing has changed', async () => {
    const { status, body } = await workspace.client.post<{ job_id: string }>('/v1/reflexes/pets/refresh')
    expect(status).toBe(202)
    expect(await jobWith(workspace.client, body.job_id)).toMatchObject({
      status: 'completed',
      result: { version: 2, tools: 3 },
    })
    const document = await workspace.client.get<ReflexView>('/v1/reflexes/pets?version=1')
    expect(document.body).toMatchObject({ version: 1, tools: [] })
  })

  test('without a source to refresh return an error', async () => {
    await create({ title: 'Basics', tools: [{ name: 'calculate' }, { name: 'ask_human' }] })
    expect((await workspace.client.post<Failure>('/v1/reflexes/basics/refresh')).status).toBe(400)
    const { job_id } = await create({ title: 'No API', source: 'openapi', url: `${api.url}/v1/pets` })
    const job = await jobWith(workspace.client, String(job_id))
    expect(job).toMatchObject({
      status: 'failed',
      failedReason: expect.stringContaining('/openapi must be an OpenAPI 3 version'),
    })
    const lost = await create({ title: 'Metadata', source: 'mcp', url: 'http://169.254.169.254/mcp' })
    expect(await jobWith(workspace.client, String(lost.job_id))).toMatchObject({
      status: 'failed',
      failedReason: expect.stringContaining('private address'),
    })
  })

  test('can be changed, listed, deleted and restored', async () => {
    const patched = await workspace.client.patch<SavedReflex>('/v1/reflexes/basics', {
      description: 'Small things',
      note: 'why',
    })
    expect(patched.body).toMatchObject({ version: 2, description: 'Small things', job_id: null })
    expect((await workspace.client.patch('/v1/reflexes/basics', { title: 'x', expected_version: 1 })).status).toBe(409)
    const { body } = await workspace.client.get<{ data: ReflexView[] }>('/v1/reflexes?limit=200')
    expect(body.data.map(({ slug }) => slug)).toContain('basics')
    expect((await workspace.client.del('/v1/reflexes/basics')).status).toBe(204)
    expect((await workspace.client.get('/v1/reflexes/basics')).status).toBe(404)
    expect((await workspace.client.post<ReflexView>(`/v1/reflexes/${patched.body.id}/restore`)).body.slug).toBe(
      'basics',
    )
  })

  test('from an inline document may contain the bounds of 64-bit integers', async () => {
    const schema = '{"type":"integer","format":"int64","minimum":-9223372036854775808,"maximum":9223372036854775807}'
    const document = `{"openapi":"3.0.3","info":{"title":"L","version":"1"},"servers":[{"url":"${api.url}"}],"paths":{"/l":{"get":
      {"operationId":"ledger","parameters":[{"name":"id","in":"query","schema":${schema}}],"responses":{}}}}}`
    const { status, body } = await workspace.client.post<SavedReflex>('/v1/reflexes', undefined, {
      raw: `{"title":"Ledger","source":"openapi","openapi":${document}}`,
      headers: { 'Content-Type': 'application/json' },
    })
    expect([status, body]).toMatchObject([201, {}])
    const saved = await workspace.client.get<ReflexView>(`/v1/reflexes/${body.id}`)
    expect(saved.body.tools[0]).toMatchObject({
      name: 'ledger',
      parameters: { properties: { id: { minimum: -(2 ** 63), maximum: 2 ** 63 } } },
    })
  })

  test.each([
    [{}, ''],
    [{ title: 'x', source: 'magic' }, '/source'],
    [{ title: 'x', source: 'mcp', url: 'ftp://x' }, '/url'],
    [{ title: 'x', source: 'openapi', openapi: { openapi: '3.1.0', paths: 7 } }, '/openapi/paths'],
    [{ title: 'x', color: 'red' }, ''],
    [{ title: 'x', secrets: { 'not a header': 'y' } }, '/secrets/not a header'],
  ])('are rejected with the fields %j', async (fields, pointer) => {
    const { status, body } = await workspace.client.post<Failure>('/v1/reflexes', fields)
    expect([status, body.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(body.details?.map(problem => problem.pointer)).toEqual(
      expect.arrayContaining(pointer ? [pointer] : [expect.anything()]),
    )
  })
})

describe('tools', () => {
  test('of all active reflexes are listed, page by page', async () => {
    const { body } = await workspace.client.get<Listed>('/v1/tools?limit=200')
    const names = body.data.map(({ name, reflex }) => `${reflex.slug}.${name}`)
    expect(names).toEqual(expect.arrayContaining(['pets.getPet', 'weather.book', 'basics.calculate']))
    expect(body.pagination.total).toBe(names.length)
    const paged: string[] = []
    for (let offset = 0; offset < names.length; offset += 3) {
      const page = await workspace.client.get<Listed>(`/v1/tools?limit=3&offset=${offset}`)
      expect(page.body.pagination.total).toBe(names.length)
      paged.push(...page.body.data.map(({ name, reflex }) => `${reflex.slug}.${name}`))
    }
    expect(paged).toEqual(names)
  })

  test('can be called, and each call is a job', async () => {
    const { status, body } = await call('calculate', { arguments: { expression: 'a + 1', variables: { a: 41 } } })
    expect([status, body.output]).toEqual([200, { result: 42 }])
    expect(await jobWith(workspace.client, body.job_id)).toMatchObject({
      kind: 'tool',
      status: 'completed',
      requester: 'user:ann',
    })
    expect((await call('weather_today', { arguments: { city: '${input.args}' } })).body.output).toBe(
      'Sun over ${input.args}',
    )
    expect((await call('getPet', { arguments: { id: 'x' }, reflex: 'pets' })).body.output).toMatchObject({
      url: '/v1/pets/x',
    })
  })

  test('called twice with the same key are executed once', async () => {
    const before = mcp.calls.length
    const headers = { 'Idempotency-Key': 'book-for-two' }
    const body = { arguments: { people: 2 } }
    const [first, again] = [await call('book', body, headers), await call('book', body, headers)]
    expect(again.body).toEqual(first.body)
    expect(mcp.calls).toHaveLength(before + 1)
    expect((await call('book', { arguments: { people: 3 } }, headers)).status).toBe(409)
  })

  test('that fail return the error code of their job', async () => {
    const failed = async (name: string, body: object) => {
      const { status, body: given } = await call<Failure>(name, body)
      return [status, given.code]
    }
    expect(await failed('weather_today', { arguments: { city: '' } })).toEqual([400, 'TOOL_ARGUMENTS_INVALID'])
    expect(await failed('fail', {})).toEqual([422, 'TOOL_FAILED'])
    api.answers.set(
      '/v1/pets',
      Array.from({ length: 3 }, () => ({ status: 503 })),
    )
    expect(await failed('listPets', {})).toEqual([503, 'TOOL_UNAVAILABLE'])
    expect(await failed('unheard_of', {})).toEqual([404, 'NOT_FOUND'])
    expect(await failed('ask_human', { arguments: { question: '?' } })).toEqual([400, 'VALIDATION_ERROR'])
  })

  test('with a name that several reflexes use are selected by reflex', async () => {
    await create({ title: 'More basics', tools: [{ name: 'calculate' }] })
    const args = { arguments: { expression: '1' } }
    const { status, body } = await call<Failure>('calculate', args)
    expect([status, body.details]).toEqual([
      400,
      [{ pointer: '/reflex', message: 'must be one of basics, more-basics' }],
    ])
    expect((await call('calculate', { ...args, reflex: 'more-basics' })).status).toBe(200)
    expect((await call('calculate', { ...args, reflex: 'nobody' })).status).toBe(404)
  })

  test.each([
    [{ arguments: 7 }, '/arguments'],
    [{ args: {} }, '/args'],
    [{ reflex: 7 }, '/reflex'],
  ])('called with %j are rejected', async (body, pointer) => {
    const { status, body: given } = await call<Failure>('calculate', body)
    expect([status, given.details?.[0]?.pointer]).toEqual([400, pointer])
  })

  test('that take long continue in their job', async () => {
    const { status, body } = await call('slow', {})
    expect([status, body]).toEqual([202, { job_id: expect.any(String), status: 'running' }])
    expect((await workspace.client.post(`/v1/jobs/${body.job_id}/cancel`)).status).toBe(200)
  })

  test('in another workspace are not found', async () => {
    const stranger = await stack.workspace()
    expect((await stranger.client.post('/v1/tools/getPet/call', { arguments: { id: '1' } })).status).toBe(404)
    expect((await stranger.client.get<Listed>('/v1/tools')).body.data).toEqual([])
  })
})

test("callers' idempotency keys never collide with the keys of tool calls and discoveries", async () => {
  await create({ title: 'Writer', source: 'builtin', tools: [{ name: 'write_artifact' }] })
  const written = await call('write_artifact', { arguments: { title: 'By a tool', content: 'text' } })
  expect(written.status).toBe(200)
  const toolKey = `tool:${createHash('sha256').update(`${written.body.job_id}:call`).digest('hex')}`
  expect(await findKeys()).toContain(toolKey)
  const fields = { title: 'By a caller', content: 'text' }
  const sent = { headers: { 'Idempotency-Key': toolKey } }
  expect((await workspace.client.post('/v1/artifacts', fields, sent)).status).toBe(201)

  const headers = { 'Idempotency-Key': 'pets' }
  const pets = { title: 'Pets', slug: 'key-pets', source: 'openapi', url: `${api.url}/openapi.json` }
  expect((await workspace.client.post('/v1/reflexes', pets, { headers })).status).toBe(201)
  const discovery = (await findKeys()).find(key => key.startsWith('discover:')) ?? ''
  for (const key of ['discover:pets', discovery])
    expect(
      (await workspace.client.post('/v1/reflexes/key-pets/refresh', {}, { headers: { 'Idempotency-Key': key } }))
        .status,
    ).toBe(202)
})

async function findKeys(): Promise<string[]> {
  const found = await stack.database.db.inWorkspace(workspace.id, tx =>
    select(tx, pick(idempotencyKeysTable, 'key'), 'select key from idempotency_keys'),
  )
  return found.map(({ key }) => key)
}

describe('a secret', () => {
  test('is sent, but does not appear in any record, stream, error or log', async () => {
    await create({
      title: 'Signed',
      source: 'openapi',
      openapi: { ...api.document, paths: { '/signed': { get: { operationId: 'signed', responses: {} } } } },
      server_url: `${api.url}/v1`,
      secrets: { Authorization: 'token' },
    })
    const { body } = await call('signed', {})
    expect(api.calls.findLast(({ url }) => url === '/v1/signed')?.headers.authorization).toBe(VALUE)
    api.answers.set('/v1/signed', [{ status: 403, body: `who is ${VALUE}?` }])
    const refused = await call<Failure>('signed', {})
    expect(refused.body).toMatchObject({ code: 'TOOL_FAILED', message: expect.stringContaining('[redacted]') })
    const seen = [
      body,
      refused.body,
      await workspace.client.get(`/v1/jobs/${body.job_id}`),
      await readEvents(workspace.client, body.job_id),
      (await workspace.client.get<ReflexView>('/v1/reflexes/signed')).body,
      stack.worker.output(),
      stack.api.output(),
    ]
    expect(JSON.stringify(seen)).not.toContain('s3cret')
  })

  test('that is missing for a host fails the call, and the error contains its name', async () => {
    const saved = await create({
      title: 'Unknown secret',
      source: 'mcp',
      url: `${mcp.url}/mcp`,
      tools: [{ name: 'any' }],
      secrets: { Authorization: 'nobody-has-it' },
    })
    const { status, body } = await call<Failure>('any', {})
    expect([status, body.code]).toEqual([403, 'SECRET_NOT_AVAILABLE'])
    expect(body.message).toContain('nobody-has-it')
    const message = expect.stringContaining('there is no secret "nobody-has-it" for this workspace')
    expect(saved).toMatchObject({ warnings: [{ pointer: '/secrets/Authorization', message }] })
    const named = `/v1/reflexes/${saved.id}`
    expect((await workspace.client.patch(named, { secrets: {} })).body).not.toHaveProperty('warnings')
    const { body: restored } = await workspace.client.post(`${named}/restore`, { version: 1 })
    expect(restored).toMatchObject({ version: 3, warnings: [{ pointer: '/secrets/Authorization', message }] })
    const elsewhere = { title: 'Elsewhere', source: 'mcp', url: 'https://mcp.invalid/mcp', tools: [{ name: 'far' }] }
    const known = await create({ ...elsewhere, secrets: { Authorization: 'token' } })
    expect(known).not.toHaveProperty('warnings')
    expect((await call<Failure>('far', {})).body).toMatchObject({ code: 'SECRET_NOT_AVAILABLE' })
    const refused = stack.worker
      .output()
      .split('\n')
      .filter(line => line.includes('refused to send a secret'))
    expect(refused.some(line => line.includes('nobody-has-it') && line.includes('no such secret'))).toBe(true)
    expect(refused.some(line => line.includes('mcp.invalid') && line.includes('not for this host'))).toBe(true)
  })
})

describe('a tool node', () => {
  const tool = (id: string, reflex: string, name: string, args?: unknown, more: object = {}) => ({
    id,
    type: 'tool',
    with: { reflex, name, ...(args !== undefined && { args }) },
    ...more,
  })

  test('calls a tool with values from the run and returns its result', async () => {
    const definition = pathway(
      [
        tool('sum', 'basics', 'calculate', { expression: 'x * 2', variables: { x: '${input.x}' } }),
        tool('sky', 'weather', 'weather_today', { city: 'n${nodes.sum.output.result}' }),
        { id: 'done', type: 'end', output: '${nodes.sky.output}' },
      ],
      'sum > sky',
      'sky > done',
    )
    const job = await jobWith(workspace.client, await startRun(workspace.client, definition, { x: 21 }))
    expect(job).toMatchObject({ status: 'completed', result: 'Sun over n42' })
    expect(job.nodes.map(({ node_type }) => node_type)).toEqual(expect.arrayContaining(['tool']))
  })

  test.each([
    [{ body: { name: 7 } }, '/body/name', 'must be a string'],
    [{}, '', 'must have the field "body"'],
    [{ body: { name: 'Rex' }, color: '${input.color}' }, '', 'must not have the field "color"'],
  ])('is rejected if its tool does not accept the arguments: %j', async (args, at, message) => {
    const definition = pathway([tool('add', 'pets', 'addPet', args)])
    const { status, body } = await workspace.client.post<Failure>('/v1/pathways', { title: 'Wrong', definition })
    expect([status, body.details]).toEqual([400, [{ pointer: `/definition/nodes/0/with/args${at}`, message }]])
  })

  test('sends the same key with every attempt', async () => {
    api.answers.set('/v1/pets', [{ status: 503 }, { status: 503 }])
    const before = api.calls.length
    const retry = { retry: { max_attempts: 3, initial: 'PT0.1S' } }
    const jobId = await startRun(
      workspace.client,
      pathway([tool('add', 'pets', 'addPet', { body: { name: 'Rex' } }, retry)]),
    )
    expect((await jobWith(workspace.client, jobId)).status).toBe('completed')
    const keys = api.calls.slice(before).map(({ headers }) => headers['idempotency-key'])
    expect(keys).toEqual([`${jobId}:add`, `${jobId}:add`, `${jobId}:add`])
  })

  test('writes an artifact', async () => {
    await create({ title: 'Writer', tools: [{ name: 'write_artifact' }, { name: 'read_resource' }] })
    const nodes = [tool('write', 'writer', 'write_artifact', { title: 'Tool report', content: 'Done.' })]
    const jobId = await startRun(workspace.client, pathway(nodes))
    const { result } = await jobWith(workspace.client, jobId)
    const { id } = result as { id: string }
    expect((await workspace.client.get(`/v1/artifacts/${id}`)).body).toMatchObject({ title: 'Tool report', version: 1 })
  })

  test('keeps calling the version with which its run started', async () => {
    await create({ title: 'Changing', tools: [{ name: 'current_time' }] })
    const definition = pathway(
      [{ id: 'hold', type: 'wait', event: 'go' }, tool('time', 'changing', 'current_time')],
      'hold > time',
    )
    const stored = await workspace.client.post('/v1/pathways', { title: 'Stored', slug: 'changing', definition })
    expect(stored.status).toBe(201)
    const jobId = await startRun(workspace.client, definition)
    await jobWith(workspace.client, jobId, 'waiting')
    await workspace.client.patch('/v1/reflexes/changing', { tools: [{ name: 'calculate' }] })
    await workspace.client.post(`/v1/jobs/${jobId}/resume`, { event: 'go' })
    expect((await jobWith(workspace.client, jobId)).status).toBe('completed')
    for (const [path, body, at] of [
      ['/v1/jobs', { pathway: definition }, '/pathway'],
      ['/v1/jobs', { pathway_id: 'changing' }, '/definition'],
      ['/v1/pathways/changing/execute', {}, '/definition'],
      ['/v1/chat/new', { message: 'Go', pathway: 'changing' }, '/definition'],
    ] as const) {
      const { status, body: refused } = await workspace.client.post<Failure>(path, body)
      const message = '"changing" has no tool "current_time"'
      expect([status, refused.details]).toEqual([400, [{ pointer: `${at}/nodes/1/with/name`, message }]])
    }
  })

  test('with side effects is stopped with its run, and its outcome is in doubt', async () => {
    const before = mcp.cancelled.length
    const running = mcp.calls.length
    const jobId = await startRun(workspace.client, pathway([tool('wait', 'weather', 'slow')]))
    await waitUntil(() => mcp.calls.length > running)
    const { body } = await workspace.client.post<JobDetail>(`/v1/jobs/${jobId}/cancel`)
    expect(body.receipt).toMatchObject([{ key: 'wait', outcome: 'in_doubt' }])
    await waitUntil(() => mcp.cancelled.length > before)
  })

  test.each([
    ['nobody', 'x', '/with/reflex', 'there is no reflex "nobody"'],
    [
      'builtin',
      'x',
      '/with/reflex',
      'there is no reflex "builtin": create it with POST /v1/reflexes {"title": "Built-in", "slug": "builtin", "source": "builtin"}',
    ],
    ['basics', 'fly', '/with/name', '"basics" has no tool "fly"'],
    ['basics', 'ask_human', '/with/name', '"ask_human" is for neurons: use a node of type "human"'],
    ['refunds', 'refunds', '/with/name', '"refunds" runs a pathway: use a node of type "pathway"'],
    ['lawyer', 'lawyer', '/with/name', '"lawyer" runs a neuron: use a node of type "neuron"'],
  ])('of %s.%s is rejected on save', async (reflex, name, at, message) => {
    const definition = pathway([tool('a', reflex, name)])
    if (reflex === 'refunds') {
      await workspace.client.post('/v1/pathways', {
        title: 'Refund it',
        definition: pathway([{ id: 'end', type: 'end' }]),
      })
      await create({ title: 'Refunds', source: 'pathway', target: 'refund-it' })
    }
    if (reflex === 'lawyer') {
      await workspace.client.post('/v1/resources/neurons', { title: 'Lawyer', document: { instructions: 'x' } })
      await create({ title: 'Lawyer', source: 'neuron', target: 'lawyer' })
    }
    const { status, body } = await workspace.client.post<Failure>('/v1/pathways', { title: 'Refused', definition })
    expect([status, body.details]).toEqual([400, [{ pointer: `/definition/nodes/0${at}`, message }]])
  })
})
