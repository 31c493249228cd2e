import type { Config } from '../config/config.ts'
import { createModelRegistry } from '../domain/agents/models/registry.ts'
import type { ModelSettings } from '../contract/shared/settings.ts'

interface Vectors {
  model: string
  dimensions: number
}

/** Returns the models for `GET /v1/config`. */
export function buildModelSettings(config: Config, { model, dimensions }: Vectors): ModelSettings {
  return {
    models: createModelRegistry(config).list(),
    embedding: { model, dimensions, usd_per_mtok: config.EMBEDDING_USD_PER_MTOK },
    transcription: config.SPEECH_URL
      ? { model: config.SPEECH_MODEL, usd_per_minute: config.SPEECH_USD_PER_MINUTE }
      : null,
  }
}
