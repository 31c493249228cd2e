import { buildModelSettings } from '../../api/models.ts'
import { readConfig } from '../../config/config.ts'
import { startApp } from './app-under-test.ts'

const REQUIRED = {
  DATABASE_URL: 'postgres://127.0.0.1/x',
  REDIS_URL: 'redis://127.0.0.1',
  TEMPORAL_ADDRESS: '127.0.0.1:7233',
  API_KEY_SECRET: 'x'.repeat(32),
}
const vectors = { model: 'some-vectors', dimensions: 384 }

async function shown(env: Record<string, string>): Promise<unknown> {
  const app = await startApp({ models: buildModelSettings(readConfig({ ...REQUIRED, ...env }), vectors) })
  try {
    return (await app.client.get('/v1/config')).body
  } finally {
    await app.drain(1_000)
  }
}

test('GET /v1/config returns available models with context sizes and prices, but no keys', async () => {
  const MODELS = JSON.stringify([
    { id: 'qwen', context_window: 32_000, usd_per_mtok: { input: 0.1, output: 0.4 }, capabilities: ['text', 'tools'] },
  ])
  const settings = await shown({
    MODELS,
    MODEL_BASE_URL: 'http://127.0.0.1:9/v1',
    ANTHROPIC_API_KEY: 'sk-secret-1',
    SPEECH_URL: 'http://127.0.0.1:9/v1',
    SPEECH_MODEL: 'whisper-tiny',
  })
  expect(settings).toMatchObject({
    models: expect.arrayContaining([
      {
        id: 'qwen',
        provider: 'openai-compatible',
        context_window: 32_000,
        max_output_tokens: null,
        usd_per_mtok: { input: 0.1, output: 0.4 },
        capabilities: ['text', 'tools'],
      },
      expect.objectContaining({ id: 'anthropic:claude-haiku-4-5', provider: 'anthropic', context_window: 200_000 }),
    ]),
    embedding: { ...vectors, usd_per_mtok: 0 },
    transcription: { model: 'whisper-tiny' },
  })
  expect(JSON.stringify(settings)).not.toContain('sk-secret-1')
  expect(JSON.stringify(settings)).not.toContain('openai:')
})

test('models that are not installed are returned as null', async () => {
  expect(await shown({})).toMatchObject({ models: [], transcription: null })
})
