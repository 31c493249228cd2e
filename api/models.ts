import type { Config } from '../config/config.ts'
import type { ModelInfo } from './routes/service/schemas.ts'

/** The model that needs nothing from elsewhere. */
const BUILTIN: ModelInfo = {
  id: 'builtin:extractive',
  provider: 'builtin',
  context_window: null,
  usd_per_mtok: { input: 0, output: 0 },
  capabilities: ['text', 'structured_output', 'streaming'],
}

/** The models a pathway can name under these settings. */
export function modelsOf({
  MODEL_BASE_URL,
  MODEL_DEFAULT,
}: Pick<Config, 'MODEL_BASE_URL' | 'MODEL_DEFAULT'>): ModelInfo[] {
  if (!MODEL_BASE_URL || MODEL_DEFAULT === BUILTIN.id) return [BUILTIN]
  const remote = { id: MODEL_DEFAULT, provider: 'openai-compatible', context_window: null, usd_per_mtok: null }
  return [{ ...remote, capabilities: ['text', 'structured_output', 'streaming'] }, BUILTIN]
}
