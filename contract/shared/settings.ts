import { z } from 'zod'
import type { ModelInfo } from '../../domain/agents/models/model-info.ts'
import { estimates } from './estimates.ts'

const model = z
  .object({
    id: z.string(),
    provider: z.enum(['openai', 'anthropic', 'google', 'openai-compatible']),
    context_window: z.int().nullable(),
    max_output_tokens: z.int().nullable(),
    usd_per_mtok: z
      .object({ input: z.number(), output: z.number(), cached_input: z.number().optional() })
      .nullable()
      .meta({ description: 'USD per million tokens; null if unknown' }),
    capabilities: z.array(z.string()),
  })
  .meta({ id: 'Model' }) satisfies z.ZodType<ModelInfo>

const limits = {
  body_bytes: z.int().meta({ description: 'Maximum size of a JSON body, excluding any document, text or audio in it' }),
  document_bytes: z.int().meta({ description: 'Maximum size of an ingested document, in bytes' }),
  file_bytes: z.int().meta({ description: 'Maximum size of a file in a conversation or a form, in bytes' }),
  artifact_bytes: z.int().meta({ description: "Maximum size of an artifact's text, in bytes" }),
  audio_bytes: z.int().meta({ description: 'Maximum size of an audio file to transcribe, in bytes' }),
  audio_seconds: z.int(),
  page_size: z.int(),
  stream_length: z.int(),
  stream_ttl_seconds: z.int(),
  idempotency_hours: z.int(),
}

export const settings = z
  .object({
    models: z.array(model),
    embedding: z.object({ model: z.string(), dimensions: z.int(), usd_per_mtok: z.number() }).nullable(),
    transcription: z.object({ model: z.string(), usd_per_minute: z.number() }).nullable(),
    limits: z.object(limits),
    estimates,
  })
  .meta({ id: 'Settings' })

/** Settings that are the same for all callers. */
export type Settings = Omit<z.output<typeof settings>, 'estimates'>

/** The language, embedding and speech models. */
export type ModelSettings = Pick<Settings, 'models' | 'embedding' | 'transcription'>
