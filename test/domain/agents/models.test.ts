import fc from 'fast-check'
import { computeCost } from '../../../domain/agents/models/cost.ts'
import { KNOWN_MODELS } from '../../../domain/agents/models/known-models.ts'
import { createModelRegistry, type ModelSettings } from '../../../domain/agents/models/registry.ts'

const registry = (settings: Partial<ModelSettings> = {}) => createModelRegistry(settings)
const ids = (settings: Partial<ModelSettings>) =>
  registry(settings)
    .list()
    .map(({ id }) => id)

describe('available models', () => {
  test('without a provider, no models are available', () => {
    expect(registry().list()).toEqual([])
  })

  test.each(['openai', 'anthropic', 'google'])('a key makes only the models of %s callable', provider => {
    const listed = ids({ [`${provider.toUpperCase()}_API_KEY`]: 'k' })
    expect(listed.length).toBeGreaterThan(1)
    expect(listed.every(id => id.startsWith(`${provider}:`))).toBe(true)
  })

  test('the default model comes first, even if it is not described', () => {
    const described = { MODEL_BASE_URL: 'http://m/v1', MODELS: [{ id: 'qwen' }] }
    expect(ids({ ...described, MODEL_DEFAULT: 'llama3:8b' })).toEqual(['llama3:8b', 'qwen'])
    expect(ids({ ...described, MODEL_DEFAULT: 'qwen' })).toEqual(['qwen'])
  })

  test('entries from the operator add models and override built-in ones field by field', () => {
    const [known] = KNOWN_MODELS
    const settings = {
      OPENAI_API_KEY: 'k',
      MODEL_BASE_URL: 'http://m/v1',
      MODELS: [
        { id: known!.id, usd_per_mtok: { input: 1, output: 2 } },
        { id: 'qwen', context_window: 32_000, capabilities: ['text', 'tools'] },
        { id: 'anthropic:claude-x', context_window: 1 },
      ],
    }
    const listed = registry(settings).list()
    expect(listed.find(({ id }) => id === known!.id)).toMatchObject({
      context_window: known!.context_window,
      usd_per_mtok: { input: 1, output: 2 },
    })
    expect(listed.find(({ id }) => id === 'qwen')).toEqual({
      id: 'qwen',
      provider: 'openai-compatible',
      context_window: 32_000,
      max_output_tokens: null,
      usd_per_mtok: null,
      capabilities: ['text', 'tools'],
    })
    expect(listed.some(({ id }) => id === 'anthropic:claude-x')).toBe(false)
  })
})

describe('finding a model', () => {
  const all = { OPENAI_API_KEY: 'a', ANTHROPIC_API_KEY: 'b', GOOGLE_API_KEY: 'c', MODEL_BASE_URL: 'http://m/v1' }

  test.each([
    ['openai:gpt-next', 'openai', 'gpt-next'],
    ['anthropic:claude-next', 'anthropic', 'claude-next'],
    ['google:gemini-next', 'google', 'gemini-next'],
    ['openai/gpt-next', 'openai-compatible', 'openai/gpt-next'],
    ['llama3:8b', 'openai-compatible', 'llama3:8b'],
    ['builtin:extractive', 'openai-compatible', 'builtin:extractive'],
  ])('%s belongs to %s, with the name %s', (id, provider, name) => {
    expect(registry(all).find(id)).toMatchObject({ model: { id, provider }, name })
  })

  test.each([
    ['openai:gpt-5.4', 'OPENAI_API_KEY is not set'],
    ['anthropic:claude-haiku-4-5', 'ANTHROPIC_API_KEY is not set'],
    ['google:gemini-2.5-pro', 'GOOGLE_API_KEY is not set'],
    ['llama3:8b', 'MODEL_BASE_URL is not set'],
    ['openai:', 'the id must name a model'],
  ])('%s: %s', (id, problem) => {
    expect(registry().find(id)).toEqual({ problem: expect.stringContaining(problem) })
  })

  test('without an id, the default model is used', () => {
    const found = registry({ ...all, MODEL_DEFAULT: 'llama3:8b' }).find()
    expect(found).toMatchObject({ model: { id: 'llama3:8b' } })
  })

  test('without an id or a default, the problem mentions the setting', () => {
    expect(registry(all).find()).toEqual({ problem: expect.stringMatching(/`model`.*MODEL_DEFAULT/) })
  })

  test('a very long id is truncated in the error message', () => {
    const found = registry().find('x'.repeat(10_000))
    expect('problem' in found && found.problem.length).toBeLessThan(300)
  })
})

describe('the cost of a call', () => {
  const model = { usd_per_mtok: { input: 3, output: 15, cached_input: 0.3 } }

  test('uses the price for cached input, if set', () => {
    const usage = { input_tokens: 1_000_000, output_tokens: 100_000, cached_input_tokens: 600_000 }
    expect(computeCost(model, usage)).toEqual({ usd: expect.closeTo(1.2 + 0.18 + 1.5, 9), priced: true })
  })

  test('without such a price, counts cached input like other input', () => {
    const usage = { input_tokens: 1_000_000, output_tokens: 0, cached_input_tokens: 600_000 }
    expect(computeCost({ usd_per_mtok: { input: 3, output: 15 } }, usage).usd).toBeCloseTo(3)
  })

  test('is marked as unknown if the model has no price', () => {
    const usage = { input_tokens: 5, output_tokens: 5 }
    expect(computeCost({ usd_per_mtok: null }, usage)).toEqual({ usd: 0, priced: false })
    expect(computeCost({ usd_per_mtok: { input: 0, output: 0 } }, usage)).toEqual({ usd: 0, priced: true })
  })

  test('is never negative, and never decreases with additional tokens', () => {
    const tokens = fc.nat({ max: 10_000_000 })
    fc.assert(
      fc.property(tokens, tokens, tokens, tokens, (input_tokens, output_tokens, cached_input_tokens, more) => {
        const usage = { input_tokens, output_tokens, cached_input_tokens }
        const { usd } = computeCost(model, usage)
        expect(usd).toBeGreaterThanOrEqual(0)
        expect(computeCost(model, { ...usage, output_tokens: output_tokens + more }).usd).toBeGreaterThanOrEqual(usd)
        expect(computeCost(model, { ...usage, input_tokens: input_tokens + more }).usd).toBeGreaterThanOrEqual(
          usd - 1e-9,
        )
      }),
    )
  })
})

test('the built-in table describes each model once, with provider ids', () => {
  const known = KNOWN_MODELS.map(({ id }) => id)
  expect(new Set(known).size).toBe(known.length)
  for (const id of known) expect(id).toMatch(/^(?:openai|anthropic|google):/)
})
