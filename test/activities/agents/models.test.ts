import { callModel, type ModelAnswer, type ModelRequest } from '../../../activities/agents/call-model.ts'
import { createModels, type Models } from '../../../activities/agents/models/models.ts'
import type { StepError } from '../../../domain/runs/step-error.ts'
import { type ModelServer, startModelServer } from '../../support/agents/model-server.ts'

const KEYS = { openai: 'sk-openai-1f2e', anthropic: 'sk-ant-3d4c', google: 'goog-5b6a', compatible: 'sk-any-7988' }
const COMPATIBLE = 'qwen'
const OPENAI = 'openai:gpt-5.4'
const ANTHROPIC = 'anthropic:claude-sonnet-4-6'
const GOOGLE = 'google:gemini-3.6-flash'
const ALL = [COMPATIBLE, OPENAI, ANTHROPIC, GOOGLE]
/** Providers that stream arguments in fragments. */
const PIECEWISE = [COMPATIBLE, OPENAI, ANTHROPIC]

let server: ModelServer
let models: Models

beforeAll(async () => {
  server = await startModelServer()
  models = createModels({
    OPENAI_API_KEY: KEYS.openai,
    OPENAI_BASE_URL: `${server.base_url}/`,
    ANTHROPIC_API_KEY: KEYS.anthropic,
    ANTHROPIC_BASE_URL: server.base_url,
    GOOGLE_API_KEY: KEYS.google,
    GOOGLE_BASE_URL: server.google_url,
    MODEL_BASE_URL: server.base_url,
    MODEL_API_KEY: KEYS.compatible,
    MODEL_DEFAULT: COMPATIBLE,
    MODELS: [{ id: COMPATIBLE, usd_per_mtok: { input: 2, output: 10, cached_input: 0.5 } }],
  })
})
beforeEach(() => void server.requests.splice(0))
afterAll(() => server.close())

const TOOLS = {
  search: {
    description: 'Looks for documents.',
    inputSchema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
  },
  now: { description: 'The time.', inputSchema: { type: 'object', properties: {} } },
}

function call(model: string, given: Partial<ModelRequest> = {}): Promise<ModelAnswer> {
  return callModel(models, {
    model,
    system: 'Be brief.',
    messages: [{ role: 'user', content: 'When do I get paid?' }],
    signal: new AbortController().signal,
    timeoutMs: 10_000,
    maxChars: 100_000,
    onToken: () => undefined,
    ...given,
  })
}

const failure = (model: string, given: Partial<ModelRequest> = {}): Promise<StepError> =>
  call(model, given).then(
    () => Promise.reject(new Error('it was expected to fail')),
    error => error,
  )

describe.each(ALL)('%s', model => {
  test('streams its answer, with usage and price', async () => {
    server.script({
      tokens: ['On', ' Friday', '.'],
      usage: { input_tokens: 1_000, output_tokens: 100, cached_input_tokens: 600 },
    })
    const heard: string[] = []
    const answer = await call(model, { onToken: token => heard.push(token) })
    expect(heard).toEqual(['On', ' Friday', '.'])
    const { input = 0, output = 0, cached_input = 0 } = models.describe(model).usd_per_mtok ?? {}
    expect(answer).toMatchObject({
      model,
      text: 'On Friday.',
      calls: [],
      finish: 'stop',
      usage: {
        input_tokens: 1_000,
        output_tokens: 100,
        cached_input_tokens: 600,
        usd: expect.closeTo((400 * input + 600 * cached_input + 100 * output) / 1e6, 12),
        priced: true,
      },
    })
    expect(server.requests).toHaveLength(1)
    expect(server.requests[0]?.turns).toEqual([
      { role: 'system', text: 'Be brief.' },
      { role: 'user', text: 'When do I get paid?' },
    ])
  })

  test('receives tools and requests several calls, none of which is run', async () => {
    server.script({
      tokens: ['Let', ' me', ' see.'],
      calls: [
        { id: 'call-a', name: 'search', args: { query: 'pay day', deep: { list: [1, 2] } } },
        { id: 'call-b', name: 'now', args: {} },
        { id: 'call-c', name: 'search', args: { query: 'wages “é”' } },
      ],
    })
    const answer = await call(model, { tools: TOOLS })
    expect(answer).toMatchObject({ text: 'Let me see.', finish: 'tools' })
    expect(answer.calls.map(({ name, args, invalid }) => ({ name, args, invalid }))).toEqual([
      { name: 'search', args: { query: 'pay day', deep: { list: [1, 2] } }, invalid: undefined },
      { name: 'now', args: {}, invalid: undefined },
      { name: 'search', args: { query: 'wages “é”' }, invalid: undefined },
    ])
    expect(JSON.parse(answer.calls[0]?.raw ?? '')).toEqual(answer.calls[0]?.args)
    expect(new Set(answer.calls.map(({ id }) => id)).size).toBe(3)
    const offered = server.requests[0]?.tools.find(({ name }) => name === 'search')
    expect(offered).toMatchObject({ description: 'Looks for documents.', parameters: { required: ['query'] } })
  })

  test('receives its earlier calls with their results', async () => {
    server.script({ tokens: ['One moment.'], calls: [{ name: 'search', args: { query: 'pay day' } }] })
    const first = await call(model, { tools: TOOLS })
    const [asked] = first.calls
    const results = [
      {
        type: 'tool-result' as const,
        toolCallId: asked?.id ?? '',
        toolName: 'search',
        output: { type: 'text' as const, value: 'The last Friday.' },
      },
    ]
    server.script({ tokens: ['The last Friday.'] })
    // A run stores these messages in a database.
    const kept = JSON.parse(JSON.stringify(first.response_messages)) as typeof first.response_messages
    const second = await call(model, {
      tools: TOOLS,
      messages: [{ role: 'user', content: 'When do I get paid?' }, ...kept, { role: 'tool', content: results }],
    })
    expect(second).toMatchObject({ text: 'The last Friday.', finish: 'stop' })
    const turns = server.requests[1]?.turns ?? []
    const calls = turns.flatMap(turn => turn.calls ?? [])
    expect(calls).toMatchObject([{ name: 'search', args: { query: 'pay day' } }])
    expect(turns.at(-1)).toMatchObject({ role: 'tool', call_id: calls[0]?.id })
    expect(turns.at(-1)?.text).toContain('The last Friday.')
    expect(turns.some(({ role, text }) => role === 'assistant' && text === 'One moment.')).toBe(true)
    expect(JSON.stringify(server.requests[1]?.body).includes('"thoughtSignature":"c2lnbmVk"')).toBe(model === GOOGLE)
  })

  test('returns a call to an unknown tool as invalid', async () => {
    server.script({ calls: [{ name: 'delete_all', args: { really: true } }] })
    const { calls, finish } = await call(model, { tools: TOOLS })
    expect(finish).toBe('tools')
    expect(calls).toMatchObject([{ name: 'delete_all', invalid: 'the tool does not exist' }])
    expect(calls[0]).not.toHaveProperty('args')
  })

  test('can be required to call a tool, and fails if it does not', async () => {
    server.script({ calls: [{ name: 'now' }] })
    expect((await call(model, { tools: TOOLS, tool_choice: 'required' })).calls).toHaveLength(1)
    server.script({ tokens: ['No.'] })
    expect(await failure(model, { tools: TOOLS, tool_choice: { name: 'now' } })).toMatchObject({
      code: 'MODEL_OUTPUT_INVALID',
      retryable: true,
    })
  })

  test('marks an answer that reached its token limit', async () => {
    server.script({ tokens: ['On'], finish_reason: 'length' })
    expect(await call(model, { max_output_tokens: 1 })).toMatchObject({ text: 'On', finish: 'length' })
  })

  test('returns a refusal as an answer with a price', async () => {
    server.script({ refusal: 'I cannot help with that.', usage: { input_tokens: 10, output_tokens: 5 } })
    expect(await call(model)).toMatchObject({
      finish: 'refused',
      usage: { input_tokens: 10, output_tokens: 5, priced: true },
    })
    server.script({ tokens: ['I'], finish_reason: 'content_filter' })
    expect((await call(model)).finish).toBe('refused')
  })

  test.each(['cut', 'error'] as const)('an interrupted answer (%s) is not treated as complete', async after => {
    server.script({ tokens: ['half', ' an'], after, error: 'something broke' })
    expect(await failure(model)).toMatchObject({ code: 'MODEL_UNAVAILABLE', retryable: true })
    server.script({ tokens: ['half', ' an'], calls: [{ name: 'now' }], after, error: 'something broke' })
    expect(await failure(model, { tools: TOOLS })).toMatchObject({ code: 'MODEL_UNAVAILABLE', retryable: true })
  })

  test('is abandoned at the time limit, and when the caller cancels', async () => {
    server.script({ tokens: ['...'], after: 'hang' })
    expect(await failure(model, { timeoutMs: 150 })).toMatchObject({ code: 'MODEL_UNAVAILABLE', retryable: true })
    const caller = new AbortController()
    server.script({ tokens: ['...'], after: 'hang' })
    const reason = new Error('left')
    await expect(call(model, { signal: caller.signal, onToken: () => caller.abort(reason) })).rejects.toBe(reason)
    server.script({ wait: new Promise(() => undefined) })
    const silent = new AbortController()
    const asked = server.requests.length
    const work = call(model, { signal: silent.signal })
    while (server.requests.length === asked) await new Promise(resolve => setTimeout(resolve, 5))
    silent.abort(reason)
    await expect(work).rejects.toBe(reason)
    while (server.requests.some(({ aborted_at }) => aborted_at === undefined))
      await new Promise(resolve => setTimeout(resolve, 5))
  })

  test.each<[number, string, boolean]>([
    [400, 'MODEL_REFUSED_INPUT', false],
    [401, 'MODEL_AUTH', false],
    [403, 'MODEL_AUTH', false],
    [404, 'UNKNOWN_MODEL', false],
    [429, 'MODEL_RATE_LIMIT', true],
    [500, 'MODEL_UNAVAILABLE', true],
    [503, 'MODEL_UNAVAILABLE', true],
    [529, 'MODEL_OVERLOADED', true],
  ])('%d is %s, with one request and no key in the message', async (status, code, retryable) => {
    server.script({ status, error: `no, not with ${Object.values(KEYS).join(' or ')}` })
    const error = await failure(model)
    expect(error).toMatchObject({ code, retryable })
    for (const key of Object.values(KEYS)) expect(JSON.stringify([error, error.message])).not.toContain(key)
    expect(server.requests).toHaveLength(1)
  })

  test.each([
    [{ 'retry-after': '9' }, 9_000],
    [{ 'retry-after-ms': '250', 'retry-after': '1' }, 250],
    [{ 'retry-after': '86400' }, 60_000],
    [{}, undefined],
  ])('a rate limit error contains the retry delay: %j', async (headers, ms) => {
    server.script({ status: 429, headers })
    expect((await failure(model)).retryAfterMs).toBe(ms)
    server.script({ status: 529, headers })
    expect((await failure(model)).retryAfterMs).toBe(ms)
  })

  test('sends only its own key', async () => {
    await call(model)
    const sent = JSON.stringify(server.requests[0]?.headers)
    const own = model === COMPATIBLE ? 'compatible' : model.split(':')[0]
    for (const [provider, key] of Object.entries(KEYS)) expect(sent.includes(key)).toBe(provider === own)
  })

  test('a redirect is not followed, because the key is only meant for one address', async () => {
    const asked = server.requests.length
    server.script({ status: 307, headers: { location: `${server.base_url}/elsewhere` } })
    expect(await failure(model)).toMatchObject({ code: 'MODEL_UNAVAILABLE' })
    expect(server.requests.length).toBe(asked + 1)
    expect(server.strays).toEqual([])
  })

  test('endless text is truncated', async () => {
    server.script({ tokens: Array.from({ length: 200 }, () => 'again and '), delay_ms: 1 })
    expect(await failure(model, { maxChars: 100 })).toMatchObject({ code: 'MODEL_OUTPUT_TOO_LARGE', retryable: false })
  })

  test('endless calls are truncated', async () => {
    server.script({ calls: Array.from({ length: 65 }, () => ({ name: 'now' })) })
    expect(await failure(model, { tools: TOOLS })).toMatchObject({ code: 'MODEL_OUTPUT_TOO_LARGE', retryable: false })
    server.script({ calls: Array.from({ length: 64 }, () => ({ name: 'now' })) })
    expect((await call(model, { tools: TOOLS })).calls).toHaveLength(64)
  })

  test('requests a structured answer, even with tools', async () => {
    const format = { type: 'object', properties: { day: { type: 'string' } }, required: ['day'] }
    server.script({ tokens: ['{"day":', '"Friday"}'] })
    expect((await call(model, { format, tools: TOOLS })).text).toBe('{"day":"Friday"}')
    expect(JSON.stringify(server.requests[0]?.body)).toContain('"day"')
  })

  test('a conversation that cannot be sent fails before any request', async () => {
    const messages = [{ role: 'nobody', content: 'x' }] as unknown as ModelRequest['messages']
    expect(await failure(model, { messages })).toMatchObject({ code: 'MODEL_REFUSED_INPUT', retryable: false })
    expect(server.requests).toHaveLength(0)
  })
})

describe.each(PIECEWISE)('arguments in fragments: %s', model => {
  test.each([
    ['{"query": "pay', 'the arguments are not JSON'],
    ['search for pay', 'the arguments are not JSON'],
    ['["pay"]', 'the arguments are not a JSON object'],
    ['null', 'the arguments are not a JSON object'],
    ['{"__proto__": {"x": 1}}', 'the arguments are not JSON'],
  ])('%s is returned as a call with its error', async (raw, invalid) => {
    server.script({ calls: [{ name: 'search', raw }, { name: 'now' }] })
    const { calls, finish, response_messages } = await call(model, { tools: TOOLS })
    expect(finish).toBe('tools')
    expect(calls).toMatchObject([
      { name: 'search', raw, invalid },
      { name: 'now', args: {} },
    ])
    expect(calls[0]).not.toHaveProperty('args')
    // The model can see the call again, with an answer that explains the error.
    const content = calls.map(({ id, name }) => ({
      type: 'tool-result' as const,
      toolCallId: id,
      toolName: name,
      output: { type: 'error-text' as const, value: 'try again' },
    }))
    const messages = [
      { role: 'user' as const, content: 'Hi.' },
      ...response_messages,
      { role: 'tool' as const, content },
    ]
    expect((await call(model, { tools: TOOLS, messages })).text).toBe('Hello there.')
  })

  test('endless arguments are truncated', async () => {
    server.script({ calls: [{ name: 'search', args: { query: 'x'.repeat(262_144) } }] })
    expect(await failure(model, { tools: TOOLS })).toMatchObject({ code: 'MODEL_OUTPUT_TOO_LARGE', retryable: false })
  })

  test('a call in a truncated answer is never treated as complete', async () => {
    for (const raw of ['{"query": "pa', '{}']) {
      server.script({ calls: [{ name: 'now' }, { name: 'search', raw }], finish_reason: 'length' })
      const { calls, finish } = await call(model, { tools: TOOLS })
      expect(finish).toBe('length')
      expect(calls).toMatchObject([{ args: {} }, { raw, invalid: 'the answer was cut off within this call' }])
    }
  })
})

describe('provider-specific errors', () => {
  test.each([
    [COMPATIBLE, { status: 400, error_code: 'context_length_exceeded' }],
    [COMPATIBLE, { status: 400, error: "This model's maximum context length is 4096 tokens." }],
    [
      COMPATIBLE,
      { status: 400, error: 'the request exceeds the available context size', error_type: 'exceed_context_size_error' },
    ],
    [OPENAI, { status: 400, error_code: 'context_length_exceeded' }],
    [OPENAI, { after: 'error' as const, error_type: 'context_length_exceeded', error: 'too long' }],
    [ANTHROPIC, { status: 400, error: 'prompt is too long: 210000 tokens > 200000 maximum' }],
    [ANTHROPIC, { status: 413 }],
    [
      GOOGLE,
      {
        status: 400,
        error_type: 'INVALID_ARGUMENT',
        error: 'The input token count (2) exceeds the maximum number of tokens allowed (1).',
      },
    ],
  ])('%s: %j means that the input exceeds the context window', async (model, reply) => {
    server.script(reply)
    expect(await failure(model)).toMatchObject({ code: 'MODEL_CONTEXT_OVERFLOW', retryable: false })
  })

  test.each([
    [ANTHROPIC, { after: 'error' as const, error_type: 'overloaded_error', error: 'Overloaded' }],
    [ANTHROPIC, { tokens: ['Well'], after: 'error' as const, error_type: 'overloaded_error', error: 'Overloaded' }],
    [ANTHROPIC, { status: 503, error_type: 'overloaded_error' }],
    [OPENAI, { status: 503, error_code: 'slow_down' }],
    [GOOGLE, { status: 503, error_type: 'UNAVAILABLE', error: 'The model is overloaded.' }],
  ])('%s: %j means that the provider is overloaded', async (model, reply) => {
    server.script(reply)
    expect(await failure(model)).toMatchObject({ code: 'MODEL_OVERLOADED', retryable: true })
  })

  test.each([
    [ANTHROPIC, { tokens: ['Well'], after: 'error' as const, error_type: 'rate_limit_error' }],
    [OPENAI, { tokens: ['Well'], after: 'error' as const, error_type: 'rate_limit_exceeded' }],
    [GOOGLE, { status: 429, error_type: 'RESOURCE_EXHAUSTED' }],
  ])('%s: %j means a rate limit', async (model, reply) => {
    server.script(reply)
    expect(await failure(model)).toMatchObject({ code: 'MODEL_RATE_LIMIT', retryable: true })
  })

  test.each([
    [OPENAI, { status: 429, error_code: 'insufficient_quota' }],
    [COMPATIBLE, { status: 429, error_type: 'insufficient_quota' }],
    [GOOGLE, { status: 400, error_type: 'INVALID_ARGUMENT', error_details: [{ reason: 'API_KEY_INVALID' }] }],
  ])('%s: %j is an account error, which is not retried', async (model, reply) => {
    server.script(reply)
    expect(await failure(model)).toMatchObject({ code: 'MODEL_AUTH', retryable: false })
  })

  test('the retry delay is read from the body of a Google response', async () => {
    const error_details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '17s' }]
    server.script({ status: 429, error_type: 'RESOURCE_EXHAUSTED', error_details })
    expect((await failure(GOOGLE)).retryAfterMs).toBe(17_000)
  })

  test('a content policy violation is reported as refused input, and no other format is tried', async () => {
    server.script({ status: 400, error_code: 'content_policy_violation' })
    expect((await failure(COMPATIBLE)).code).toBe('MODEL_REFUSED_INPUT')
    server.script({ status: 400, error_code: 'context_length_exceeded' })
    expect((await failure(COMPATIBLE, { format: { type: 'object' } })).code).toBe('MODEL_CONTEXT_OVERFLOW')
    expect(server.requests).toHaveLength(2)
  })

  test('a call that Google could not parse is retryable', async () => {
    server.script({ finish_reason: 'MALFORMED_FUNCTION_CALL' })
    expect(await failure(GOOGLE, { tools: TOOLS })).toMatchObject({ code: 'MODEL_OUTPUT_INVALID', retryable: true })
  })
})

describe('the request', () => {
  test('tells OpenAI to store nothing, and to return the reasoning for the next request', async () => {
    await call(OPENAI)
    expect(server.requests[0]?.body).toMatchObject({ store: false, include: ['reasoning.encrypted_content'] })
  })

  test('requests no more output than the model supports', async () => {
    await call(ANTHROPIC, { max_output_tokens: 1_000_000 })
    await call(ANTHROPIC, { max_output_tokens: 10 })
    expect(server.requests.map(({ body }) => body.max_tokens)).toEqual([64_000, 10])
  })

  test('the cost of a model without a price is unknown', async () => {
    expect((await call('some-other')).usage).toMatchObject({ usd: 0, priced: false })
  })

  test.each([
    ['openai:gpt-5.4', 'OPENAI_API_KEY'],
    ['anthropic:claude-sonnet-5', 'ANTHROPIC_API_KEY'],
    ['google:gemini-2.5-pro', 'GOOGLE_API_KEY'],
    ['qwen', 'MODEL_BASE_URL'],
  ])('%s is unknown until its provider is configured, and the error mentions %s', (id, setting) => {
    const none = createModels({})
    for (const use of [() => none.find(id), () => none.describe(id)])
      expect(use).toThrow(
        expect.objectContaining({ code: 'UNKNOWN_MODEL', retryable: false, message: expect.stringContaining(setting) }),
      )
  })
})

test('concurrent agents each get their own answer', async () => {
  const take = server.on(({ turns }) => {
    const name = /I am (\w+)/.exec(turns.at(-1)?.text ?? '')?.[1]
    return name === undefined ? undefined : { tokens: ['Hello ', name], delay_ms: 1 }
  })
  const names = Array.from({ length: 20 }, (_, i) => `agent${i}`)
  const answers = await Promise.all(
    names.map((name, i) => call(ALL[i % ALL.length]!, { messages: [{ role: 'user', content: `I am ${name}` }] })),
  )
  expect(answers.map(({ text }) => text)).toEqual(names.map(name => `Hello ${name}`))
  take()
  expect((await call(COMPATIBLE, { messages: [{ role: 'user', content: 'I am nobody' }] })).text).toBe('Hello there.')
})
