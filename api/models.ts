import type { Config } from '../config/config.ts'
import { createModelRegistry } from '../domain/models/registry.ts'
import type { ModelSettings } from './routes/service/schemas.ts'

interface Vectors {
  model: string
  dimensions: number
}

/** What `GET /v1/config` says of the models that this installation can use. */
export function modelsOf(config: Config, { model, dimensions }: Vectors): ModelSettings {
  return {
    models: createModelRegistry(config).list(),
    embedding: { model, dimensions },
    transcription: config.SPEECH_URL
      ? { model: config.SPEECH_MODEL, usd_per_minute: config.SPEECH_USD_PER_MINUTE }
      : null,
  }
}
