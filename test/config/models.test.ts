import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../../config/config.ts'

const REQUIRED = {
  DATABASE_URL: 'postgres://127.0.0.1/x',
  REDIS_URL: 'redis://127.0.0.1',
  TEMPORAL_ADDRESS: '127.0.0.1:7233',
  API_KEY_SECRET: 'x'.repeat(32),
}
const read = (env: Record<string, string>) => readConfig({ ...REQUIRED, ...env })
const LIST = [{ id: 'qwen', context_window: 32_000, usd_per_mtok: { input: 0.1, output: 0.2 } }]

describe('the list of models', () => {
  test('is set as JSON, or as a file with JSON', async () => {
    expect(read({ MODELS: ` ${JSON.stringify(LIST)}` }).MODELS).toEqual(LIST)
    expect(read({ MODELS: '' }).MODELS).toBeUndefined()
    const folder = await mkdtemp(join(tmpdir(), 'models-'))
    try {
      const path = join(folder, 'models.json')
      await writeFile(path, JSON.stringify(LIST))
      expect(read({ MODELS: path }).MODELS).toEqual(LIST)
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  test.each([
    ['invalid JSON', '[{', /MODELS: must be a JSON list/],
    ['a missing file', '/nowhere/models.json', /MODELS: .*ENOENT/],
    ['an unknown field', '[{"id":"a","price":1}]', /MODELS\.0: .*price/],
    ['a negative price', '[{"id":"a","usd_per_mtok":{"input":-1,"output":1}}]', /MODELS\.0\.usd_per_mtok\.input: /],
    ['a missing id', '[{"id":"a"},{"context_window":5}]', /MODELS\.1\.id: /],
    ['a repeated model', '[{"id":"a"},{"id":"a"}]', /MODELS\.1\.id: a is defined twice/],
  ])('%s is reported', (_what, MODELS, problem) => {
    expect(() => read({ MODELS })).toThrow(problem)
  })
})

test.each([
  [{ MODEL_DEFAULT: 'openai:gpt-5.4' }, 'OPENAI_API_KEY is not set'],
  [{ MODEL_DEFAULT: 'llama' }, 'MODEL_BASE_URL is not set'],
])('an unusable default model is a problem: %j', (env, problem) => {
  expect(() => read(env)).toThrow(new RegExp(`MODEL_DEFAULT: .*${problem}`))
})

test('there is no default model unless one is set', () => {
  expect(read({}).MODEL_DEFAULT).toBeUndefined()
  expect(read({ MODEL_BASE_URL: 'http://m/v1', MODEL_DEFAULT: 'llama' }).MODEL_DEFAULT).toBe('llama')
})

test('problem messages never reveal a key', () => {
  const env = { OPENAI_API_KEY: 'sk-secret-1', MODEL_DEFAULT: 'anthropic:claude-x', OPENAI_BASE_URL: 'no url' }
  expect(() => read(env)).toThrow(/^(?![\s\S]*sk-secret-1)[\s\S]*OPENAI_BASE_URL/)
})
