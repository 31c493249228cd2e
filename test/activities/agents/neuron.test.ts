import { createNeuronActivity } from '../../../activities/agents/neuron.ts'
import { createSpendCheck, type SpendCheck } from '../../../activities/agents/spend-check.ts'
import { CostCap } from '../../../domain/shared/errors.ts'
import { createModels } from '../../../activities/agents/models/models.ts'
import type { StepInput, StepResult } from '../../../activities/types.ts'
import type { JsonObject } from '../../../domain/shared/json/json.ts'
import { evaluator } from '../../support/documents/evaluator.ts'
import { activityEnvironment } from '../../support/stack/activity-environment.ts'
import { type ModelServer, startModelServer } from '../../support/agents/model-server.ts'
import { waitUntil } from '../../support/stack/process.ts'
import { recordingPublisher } from '../../support/runs/recording-publisher.ts'
import { stepInput } from '../../support/runs/step-input.ts'

const KEY = 'sk-test-4f9a2c'
let server: ModelServer
let publisher: ReturnType<typeof recordingPublisher>
let neuron: (input: StepInput) => Promise<StepResult>

beforeAll(async () => {
  server = await startModelServer()
})
beforeEach(() => {
  server.requests.splice(0)
  publisher = recordingPublisher()
  neuron = activity()
})
afterAll(() => server.close())

function activity(settings: { timeoutMs?: number; maxChars?: number; base?: string; checkSpend?: SpendCheck } = {}) {
  const models = createModels({
    MODEL_BASE_URL: settings.base ?? server.base_url,
    MODEL_API_KEY: KEY,
    MODEL_DEFAULT: 'builtin:extractive',
  })
  return createNeuronActivity({
    models,
    publisher,
    evaluator,
    readStepFiles: async () => ({ files: [], contents: new Map() }),
    checkSpend: settings.checkSpend ?? (async () => undefined),
    timeoutMs: settings.timeoutMs ?? 10_000,
    maxChars: settings.maxChars ?? 100_000,
  })
}

const input = (given: JsonObject): StepInput =>
  stepInput({ type: 'neuron', with: { model: 'small', message: 'Hi.', ...given } })
const run = (given: JsonObject = {}, attempt = 1): Promise<StepResult> =>
  activityEnvironment({ attempt }).run(neuron, input(given))
const failure = (
  given: JsonObject = {},
): Promise<{ code: string; retryable: boolean; message: string; retryAfterMs?: number }> =>
  run(given).then(
    () => Promise.reject(new Error('it was expected to fail')),
    error => error,
  )

const SCHEMA = { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] }

describe('a streamed answer', () => {
  test('returns text and usage, and sends each token to the job with its node', async () => {
    server.script({ tokens: ['Pay', ' it', '.'] })
    const { output, usage } = await run({ instructions: 'Be brief.', temperature: 0.2, max_output_tokens: 50 })
    expect(output).toEqual({ text: 'Pay it.', usage: { input_tokens: 3, output_tokens: 3 } })
    expect(usage).toEqual({ input_tokens: 3, output_tokens: 3, usd: 0 })
    expect(publisher.published.map(({ jobId, event }) => [jobId, event])).toEqual(
      ['Pay', ' it', '.'].map(token => ['job-1', { type: 'token', token, node_id: 'step', key: 'step' }]),
    )
    expect(server.requests[0]?.body).toMatchObject({
      model: 'small',
      stream: true,
      stream_options: { include_usage: true },
      temperature: 0.2,
      max_tokens: 50,
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hi.' },
      ],
    })
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`)
  })

  test('a second attempt first retracts the text of the first one', async () => {
    await run({}, 2)
    expect(publisher.events()[0]).toEqual({ type: 'attempt_reset', node_id: 'step', key: 'step', attempt: 2 })
    expect(publisher.tokens().join('')).toBe('Hello there.')
  })

  test('is not requested once the included spend is used up', async () => {
    const checkSpend = createSpendCheck({ checkSpend: () => Promise.reject(new CostCap(5)) })
    neuron = activity({ checkSpend })
    const error: unknown = await run().catch((failure: unknown) => failure)
    expect(error).toMatchObject({ code: 'cost_cap', retryable: false })
    expect(server.requests).toEqual([])
  })

  test('stays separate from other concurrent answers', async () => {
    server.script({ tokens: ['a', 'b'], delay_ms: 20 }, { tokens: ['a', 'b'], delay_ms: 20 })
    const results = await Promise.all([run(), run()])
    expect(results.map(({ output }) => (output as JsonObject).text)).toEqual(['ab', 'ab'])
  })
})

describe('a structured answer', () => {
  test('is requested by schema, validated, and returned as data', async () => {
    server.script({ tokens: ['{"total"', ': 12.5}'] })
    const { output } = await run({ schema: SCHEMA })
    expect(output).toMatchObject({ text: '{"total": 12.5}', data: { total: 12.5 } })
    expect(server.requests[0]?.body.response_format).toMatchObject({
      type: 'json_schema',
      json_schema: { schema: SCHEMA, strict: false },
    })
    expect(publisher.tokens()).toEqual(['{"total"', ': 12.5}'])
  })

  test('may be inside a Markdown fence', async () => {
    server.script({ tokens: ['```json\n{"total": 3}\n```'] })
    expect((await run({ schema: SCHEMA })).output).toMatchObject({ data: { total: 3 } })
  })

  test.each(['{"total": "12"}', 'The total is 12.', '{"total": 1', ''])('"%s" is invalid and retryable', async text => {
    server.script({ tokens: [text] })
    expect(await failure({ schema: SCHEMA })).toMatchObject({ code: 'MODEL_OUTPUT_INVALID', retryable: true })
  })

  test('is requested in the prompt if the provider rejects the response format', async () => {
    server.script({ status: 400, error: 'response_format is not supported' }, { tokens: ['{"total": 7}'] })
    expect((await run({ schema: SCHEMA, instructions: 'Read.' })).output).toMatchObject({ data: { total: 7 } })
    const [, second] = server.requests
    expect(second?.body.response_format).toBeUndefined()
    expect(second?.body.messages[0]?.content).toContain('"total"')
  })

  test('with an invalid schema fails before the request', async () => {
    expect(await failure({ schema: { type: 'nonsense' } })).toMatchObject({
      code: 'NODE_INPUT_INVALID',
      retryable: false,
    })
    expect(server.requests).toHaveLength(0)
  })
})

describe('failures', () => {
  test.each<[number, string, boolean]>([
    [400, 'MODEL_REFUSED_INPUT', false],
    [401, 'MODEL_AUTH', false],
    [403, 'MODEL_AUTH', false],
    [404, 'UNKNOWN_MODEL', false],
    [413, 'MODEL_REFUSED_INPUT', false],
    [408, 'MODEL_UNAVAILABLE', true],
    [429, 'MODEL_RATE_LIMIT', true],
    [500, 'MODEL_UNAVAILABLE', true],
    [503, 'MODEL_UNAVAILABLE', true],
  ])('%d is %s, with one request and no key in the message', async (status, code, retryable) => {
    server.script({ status, error: `no, not with ${KEY}` })
    const error = await failure()
    expect(error).toMatchObject({ code, retryable })
    expect(error.message).not.toContain(KEY)
    expect(server.requests).toHaveLength(1)
  })

  test('a rate limit error contains the retry delay', async () => {
    server.script({ status: 429, headers: { 'retry-after': '9' } })
    expect((await failure()).retryAfterMs).toBe(9_000)
  })

  test.each(['cut', 'error'] as const)('an interrupted answer (%s) is not treated as complete', async after => {
    server.script({ tokens: ['half', ' an'], after })
    expect(await failure()).toMatchObject({ code: 'MODEL_UNAVAILABLE', retryable: true })
  })

  test('a filtered answer is a failure', async () => {
    server.script({ tokens: ['I'], finish_reason: 'content_filter' })
    expect(await failure()).toMatchObject({ code: 'MODEL_REFUSED_INPUT', retryable: false })
  })

  test('an unreachable provider fails with MODEL_UNAVAILABLE', async () => {
    neuron = activity({ base: 'http://127.0.0.1:9/v1' })
    expect(await failure()).toMatchObject({ code: 'MODEL_UNAVAILABLE', retryable: true })
  })

  test('a model that does not respond is abandoned at the time limit', async () => {
    neuron = activity({ timeoutMs: 200 })
    server.script({ tokens: ['...'], after: 'hang' })
    expect(await failure()).toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      retryable: true,
      message: expect.stringContaining('200 ms'),
    })
  })

  test('an endless answer is truncated', async () => {
    neuron = activity({ maxChars: 100 })
    server.script({ tokens: Array.from({ length: 100 }, () => 'again and '), delay_ms: 1 })
    expect(await failure()).toMatchObject({ code: 'MODEL_OUTPUT_TOO_LARGE', retryable: false })
    await new Promise(resolve => setTimeout(resolve, 100))
    expect(server.requests[0]?.aborted_at).toBeDefined()
  })

  test('an unknown model fails with UNKNOWN_MODEL and is not retried', async () => {
    expect(await failure({ model: 'openai:poet' })).toMatchObject({ code: 'UNKNOWN_MODEL', retryable: false })
    const models = createModels({ OPENAI_API_KEY: 'k', MODEL_DEFAULT: 'openai:poet' })
    expect(() => models.find('gpt-x')).toThrow(expect.objectContaining({ code: 'UNKNOWN_MODEL', retryable: false }))
    expect(models.find().modelId).toBe('poet')
  })

  test('a call fails with the name of the missing setting if there is neither a model nor a default', () => {
    const message = expect.stringContaining('MODEL_DEFAULT')
    expect(() => createModels({}).find()).toThrow(
      expect.objectContaining({ code: 'UNKNOWN_MODEL', retryable: false, message }),
    )
  })

  test.each<JsonObject>([{ message: 5 }, { temperature: 'hot' }, { max_output_tokens: 0 }, { schema: 'x' }])(
    '%j is rejected',
    async given => {
      expect(await failure(given)).toMatchObject({ code: 'NODE_INPUT_INVALID', retryable: false })
    },
  )
})

test.each(['small', 'builtin:extractive'])(
  'a cancel stops %s, and the tokens generated so far are published',
  async model => {
    server.script({ tokens: Array.from({ length: 1_000 }, () => 'word '), delay_ms: 5 })
    const env = activityEnvironment()
    const work = env.run(neuron, input({ model, message: `Which word is it?\n\nThe ${'word '.repeat(500)}.` }))
    await waitUntil(() => publisher.published.length > 0)
    env.cancel()
    await expect(work).rejects.toMatchObject({ name: 'CancelledFailure' })
    const sent = publisher.published.length
    await new Promise(resolve => setTimeout(resolve, 100))
    expect(publisher.published).toHaveLength(sent)
    if (model === 'small') await waitUntil(() => server.requests[0]?.aborted_at)
  },
)
