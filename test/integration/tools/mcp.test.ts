import { randomUUID } from 'node:crypto'
import type { Client } from '@modelcontextprotocol/client'
import { callTool, connectMcp, ERAS, post, refusedTool, runTool } from '../../support/tools/mcp.ts'
import { waitUntil } from '../../support/stack/process.ts'
import { jobWith, pathway } from '../../support/runs/runs.ts'
import { signInAs } from '../../support/access/sign-in.ts'
import { useStack } from '../../support/stack/use-stack.ts'

/** The hosted MCP server, called by the SDK client in both revisions. */

const context = useStack()

const connect = (options: Partial<Parameters<typeof connectMcp>[0]> = {}) =>
  connectMcp({ baseUrl: context.stack.baseUrl, token: context.workspace.api_key, ...options })

interface Outcome {
  job_id: string
  status: string
  trace_id?: string
  result?: unknown
  questions?: { question_id: string; title: string }[]
  next?: string
}

const OK = { id: 'ok', type: 'transform', with: { value: 'decided' } }

let client: Client
beforeAll(async () => {
  client = await connect()
  const { post } = context.workspace.client
  const say = { id: 'say', type: 'transform', with: { value: '${ input.name }' } }
  const input = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
  await post('/v1/pathways', { title: 'Echo', slug: 'echo', definition: { ...pathway([say]), input } })
  const review = { id: 'review', type: 'human', kind: 'approval', title: 'May it?', assignees: ['user:ann'] }
  await post('/v1/pathways', {
    title: 'Ask',
    slug: 'ask',
    definition: pathway([review, OK], 'review.approve > ok', 'review.reject > ok'),
  })
  await post('/v1/neurons', { title: 'Helper', slug: 'helper', model: 'builtin:extractive', instructions: 'Answer.' })
})
afterAll(() => client?.close())

describe.each(ERAS)('in revision %s', era => {
  let client: Client
  beforeAll(async () => {
    client = await connect({ era })
  })
  afterAll(() => client?.close())

  test('tools are listed in a fixed order, with schemas, titles and all hints', async () => {
    const { tools } = await client.listTools()
    expect(tools.length).toBeGreaterThan(20)
    expect(tools.length).toBeLessThanOrEqual(34)
    for (const { name, title, annotations, inputSchema, outputSchema } of tools) {
      const hints = [annotations?.readOnlyHint, annotations?.destructiveHint, annotations?.idempotentHint]
      expect([name, title, ...hints, annotations?.openWorldHint]).not.toContain(undefined)
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
      expect(outputSchema).toMatchObject({ type: 'object' })
      expect(JSON.stringify([inputSchema, outputSchema])).not.toContain('$ref')
      for (const key of ['oneOf', 'anyOf', 'allOf']) expect(inputSchema).not.toHaveProperty(key)
    }
    const again = await connect({ era })
    expect((await again.listTools()).tools).toEqual(tools)
    await again.close()
  })

  test('a pathway can be found, read, simulated and run to its result', async () => {
    const { pathways } = await callTool<{ pathways: { slug: string }[] }>(client, 'list_pathways')
    expect(pathways.map(({ slug }) => slug)).toEqual(expect.arrayContaining(['echo', 'ask']))
    const read = await callTool<{ definition: object }>(client, 'get_pathway', { pathway: 'echo' })
    expect(read.definition).toMatchObject({ input: { required: ['name'] } })
    const args = { pathway: 'echo', input: { name: 'Ann' } }
    expect(await callTool(client, 'validate_pathway', args)).toMatchObject({ status: 'completed', result: 'Ann' })
    const run = await runTool<Outcome>(client, 'run_pathway', args)
    expect(run).toMatchObject({ status: 'completed', result: 'Ann' })
    expect(await callTool(client, 'get_run', { job_id: run.job_id })).toMatchObject({ nodes: [{ key: 'say' }] })
  })

  test('a run that asks people can be answered using only tools', async () => {
    const run = await runTool<Outcome>(client, 'run_pathway', { pathway: 'ask' })
    expect(run).toMatchObject({ status: 'waiting', questions: [{ title: 'May it?', actions: ['approve', 'reject'] }] })
    const [question] = run.questions ?? []
    expect(run.next).toContain(question?.question_id)
    const { questions } = await callTool<{ questions: object[] }>(client, 'list_questions', { job_id: run.job_id })
    expect(questions).toMatchObject([question])
    const sentAnswer = { question_id: question?.question_id, action: 'approve' }
    expect(await callTool(client, 'answer_question', sentAnswer)).toMatchObject({ by: 'user:ann', decided: true })
    expect(await runTool(client, 'wait_for_run', { job_id: run.job_id })).toMatchObject({ status: 'completed' })
    expect(await callTool(client, 'get_question', { question_id: question?.question_id })).toMatchObject({
      status: 'decided',
      decision: { action: 'approve', by: 'user:ann' },
    })
  })

  test('a neuron can be invoked, and the conversation can be continued', async () => {
    const reply = await runTool<Outcome>(client, 'ask_neuron', { neuron: 'helper', message: 'Hello' })
    expect(reply).toMatchObject({ status: 'completed', result: { output: expect.any(String) as string } })
    const again = { trace_id: reply.trace_id, message: 'And now?' }
    expect(await runTool(client, 'continue_conversation', again)).toMatchObject({ status: 'completed' })
  })

  test('a document can be created, edited at its version, and read in parts and at an earlier version', async () => {
    const title = `Notes ${era} ${randomUUID()}`
    const made = await callTool<{ id: string }>(client, 'create_document', { title, content: 'Zoë said yes.' })
    const change = { id: made.id, expected_version: 1, edits: [{ find: 'yes', replace: 'no' }] }
    expect(await callTool(client, 'edit_document', change)).toMatchObject({ version: 2 })
    expect(await refusedTool(client, 'edit_document', change)).toMatchObject({ code: 'CONFLICT' })
    expect(await callTool(client, 'read_document', { id: made.id })).toMatchObject({ text: 'Zoë said no.', version: 2 })
    expect(await callTool(client, 'read_document', { id: made.id, version: 1 })).toMatchObject({
      text: 'Zoë said yes.',
    })
    expect(await callTool(client, 'fetch', { id: made.id })).toMatchObject({ title, text: 'Zoë said no.' })
    const { versions } = await callTool<{ versions: object[] }>(client, 'document_history', { id: made.id })
    expect(versions).toMatchObject([{ version: 2 }, { version: 1 }])
    const text = `A text of ${title}. `.repeat(20)
    const { document } = await callTool<{ document: { id: string } }>(client, 'ingest_document', { text, title })
    const first = await callTool<{ text: string; next_offset: number }>(client, 'read_document', {
      id: document.id,
      max_bytes: 100,
    })
    expect(first.text).toBe(text.slice(0, 100))
    const rest = { id: document.id, offset: first.next_offset }
    expect(await callTool(client, 'read_document', rest)).toMatchObject({ text: text.slice(100) })
  })

  test('invalid arguments are rejected by name, with an error that the model can read', async () => {
    const refused = await refusedTool(client, 'list_runs', { status: 'gone', extra: 1 })
    expect(refused).toMatchObject({ code: 'VALIDATION_ERROR' })
    expect(refused.details?.map(({ pointer }) => pointer).sort()).toEqual(['/extra', '/status'])
    expect(await refusedTool(client, 'run_pathway', { pathway: 'echo', input: {} })).toMatchObject({
      code: 'VALIDATION_ERROR',
    })
    await expect(client.callTool({ name: 'nothing', arguments: {} })).rejects.toMatchObject({ code: -32_602 })
  })
})

test('the same idempotency key starts one run', async () => {
  const args = { pathway: 'echo', input: { name: 'once' }, idempotency_key: randomUUID() }
  const first = await callTool<Outcome>(client, 'run_pathway', args)
  expect((await callTool<Outcome>(client, 'run_pathway', args)).job_id).toBe(first.job_id)
  const other = { ...args, input: { name: 'twice' } }
  expect(await refusedTool(client, 'run_pathway', other)).toMatchObject({ code: 'CONFLICT' })
})

test('a search finds documents that fetch can read, and results have the format that connectors expect', async () => {
  const word = `quokka${Date.now()}`
  const { document } = await callTool<{ document: { id: string } }>(client, 'ingest_document', {
    title: 'About quokkas',
    text: `The ${word} is small.`,
  })
  const results = await waitUntil(async () => {
    const found = await callTool<{ results: { id: string }[] }>(client, 'search', { query: word, mode: 'keyword' })
    return found.results.length > 0 && found.results
  })
  expect(results).toMatchObject([
    { id: document.id, title: 'About quokkas', url: expect.stringContaining('/v1/') as string },
  ])
  expect(await callTool(client, 'fetch', { id: document.id })).toMatchObject({ text: `The ${word} is small.` })
})

test('a text is split between characters, and a malformed id is treated as unknown', async () => {
  const instructions = 'Grüße aus Zürich. '.repeat(20)
  const { body } = await context.workspace.client.post<{ id: string }>('/v1/skills', { title: 'Greets', instructions })
  const read = (part: object = {}) =>
    callTool<{ text: string; next_offset?: number }>(client, 'fetch', { id: `skills/${body.id}`, ...part })
  const { text: whole } = await read()
  let joined = ''
  for (let offset: number | undefined = 0; offset !== undefined;) {
    const part: { text: string; next_offset?: number } = await read({ offset, max_bytes: 101 })
    joined += part.text
    offset = part.next_offset
  }
  expect(joined).toBe(whole)
  expect(await refusedTool(client, 'fetch', { id: 'skills/%E0%A4%A' })).toMatchObject({ code: 'NOT_FOUND' })
})

test('a failed simulation has the format that the tool declares', async () => {
  const inner = pathway([{ id: 'say', type: 'transform', with: { value: '${ input.missing }' } }])
  const failing = await callTool(client, 'validate_pathway', { pathway: 'echo', definition: inner, input: {} })
  expect(failing).toMatchObject({ status: 'failed', error: { code: expect.any(String) as string } })
  const unsaved = await callTool(client, 'validate_pathway', { definition: inner, input: { missing: 'there' } })
  expect(unsaved).toMatchObject({ status: 'completed', result: 'there' })
  expect(await refusedTool(client, 'validate_pathway', { input: {} })).toMatchObject({ code: 'VALIDATION_ERROR' })
})

describe('access', () => {
  const url = () => `${context.stack.baseUrl}/v1/mcp`
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const withKey = () => ({ Authorization: `Bearer ${context.workspace.api_key}` })

  test('a missing or invalid key returns 401 with a challenge, as JSON-RPC', async () => {
    const missing = await post(url(), list)
    expect([missing.status, missing.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    expect(await missing.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { data: { code: 'AUTH_REQUIRED' } } })
    const wrong = await post(url(), list, { Authorization: 'Bearer gng_nothing' })
    expect([wrong.status, wrong.headers.get('www-authenticate')]).toEqual([401, 'Bearer error="invalid_token"'])
  })

  test('requests from pages on other sites return 403, and local pages are allowed', async () => {
    expect((await post(url(), list, { ...withKey(), Origin: 'https://evil.example' })).status).toBe(403)
    expect((await post(url(), list, { ...withKey(), Origin: 'http://localhost:6274' })).status).toBe(200)
  })

  test('invalid JSON returns -32700, other methods return 405, and an unknown toolkit returns 404', async () => {
    const broken = await post(url(), '{"jsonrpc": ', withKey())
    expect([broken.status, await broken.json()]).toMatchObject([400, { error: { code: -32_700 } }])
    for (const method of ['GET', 'DELETE'])
      expect((await fetch(url(), { method, headers: withKey() })).status).toBe(405)
    const unknown = await post(`${url()}/nothing`, list, withKey())
    expect([unknown.status, await unknown.json()]).toMatchObject([404, { error: { data: { code: 'NOT_FOUND' } } }])
  })

  test('lists depend on the credential, and a tool that needs another permission is rejected', async () => {
    const client = await connect({ token: await context.workspace.newKey({ permissions: ['resources:read'] }) })
    const { tools } = await client.listTools()
    const names = tools.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['search', 'fetch', 'list_pathways', 'read_document']))
    for (const name of ['run_pathway', 'create_document', 'answer_question', 'list_runs', 'diagnose_run'])
      expect(names).not.toContain(name)
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true)
    expect(await refusedTool(client, 'run_pathway', { pathway: 'echo' })).toMatchObject({ code: 'FORBIDDEN' })
    await client.close()
  })

  test('resources in another workspace are not found', async () => {
    const run = await callTool<Outcome>(client, 'run_pathway', { pathway: 'echo', input: { name: 'mine' } })
    const other = await context.stack.workspace()
    const stranger = await connect({ token: other.api_key })
    const unknown = await refusedTool(stranger, 'get_run', { job_id: `echo-${randomUUID()}` })
    expect(await refusedTool(stranger, 'get_run', { job_id: run.job_id })).toEqual(unknown)
    for (const name of ['wait_for_run', 'cancel_run'])
      expect(await refusedTool(stranger, name, { job_id: run.job_id })).toEqual(unknown)
    await stranger.close()
  })
})

describe('toolkits', () => {
  const listNames = async (path: string, headers?: Record<string, string>) => {
    const client = await connect({ path, headers })
    const { tools } = await client.listTools()
    await client.close()
    return tools.map(({ name }) => name)
  }

  test('a path selects the tools of one toolkit, and a header selects those of several', async () => {
    expect(await listNames('/search')).toEqual(['search', 'fetch', 'browse'])
    expect(await listNames('', { 'X-MCP-Toolkits': 'inbox, search' })).toEqual(
      'list_questions get_question answer_question claim_question release_question comment_on_question get_evidence search fetch browse'.split(
        ' ',
      ),
    )
  })

  test('a workspace toolkit offers its pathways and neurons with their own schemas', async () => {
    const builder = await signInAs(context.stack, context.workspace, 'user:bea', 'builder')
    const tools = [
      { type: 'pathway', ref: 'echo', name: 'say_name', description: 'Says a name' },
      { type: 'neuron', ref: 'helper' },
    ]
    const made = await builder.send('POST', '/v1/mcp-toolkits', { name: 'Own', slug: `own-${Date.now()}`, tools })
    const { slug } = made.body as unknown as { slug: string }
    const client = await connect({ path: `/${slug}` })
    const listed = (await client.listTools()).tools
    expect(listed.map(({ name }) => name)).toEqual(
      'say_name run_helper get_run diagnose_run wait_for_run cancel_run answer_question'.split(' '),
    )
    expect(listed[0]).toMatchObject({
      description: expect.stringMatching(/^Says a name/) as string,
      inputSchema: { required: ['name'] },
    })
    expect(await callTool(client, 'say_name', { name: 'Bea' })).toMatchObject({ result: 'Bea' })
    expect(await callTool(client, 'run_helper', { message: 'Hello' })).toMatchObject({ status: 'completed' })
    expect(await refusedTool(client, 'say_name', { name: 7 })).toMatchObject({ code: 'VALIDATION_ERROR' })
    await client.close()
  })
})

test('a client that disconnects cancels nothing, and the first progress message contains the job id', async () => {
  const wait = { id: 'wait', type: 'wait', duration: 'PT2S' }
  await context.workspace.client.post('/v1/pathways', { title: 'Slow', slug: 'slow', definition: pathway([wait]) })
  const leaving = new AbortController()
  const notices: string[] = []
  const calling = client.callTool(
    { name: 'run_pathway', arguments: { pathway: 'slow' } },
    {
      signal: leaving.signal,
      onprogress({ message }) {
        notices.push(message ?? '')
        leaving.abort()
      },
    },
  )
  await expect(calling).rejects.toThrow()
  const [, jobId = ''] = /Started run (\S+)/.exec(notices[0] ?? '') ?? []
  expect((await jobWith(context.workspace.client, jobId)).status).toBe('completed')
})
