import { z } from 'zod'
import type { ModelInfo } from '../../../../domain/agents/models/model-info.ts'
import type { Estimates } from '../../../../services/access/usage/estimates.ts'
import { COMPONENTS } from './health.ts'

export const live = z.object({ status: z.literal('ok') }).meta({ id: 'Liveness' })

export const health = z
  .object({
    status: z.enum(['ok', 'degraded', 'down']).meta({ description: '`down` means that runs cannot be accepted' }),
    version: z.string(),
    components: z.record(z.enum(COMPONENTS), z.enum(['ok', 'down', 'off'])).meta({
      description:
        '`search_index` is down while the index is of another embedding model than the configured one: run `ganglion-admin reindex`. Keyword search still works.',
    }),
    stuck_runs: z.int().optional().meta({
      description:
        'Number of open runs of the workspace that make no progress. Present with an API key, when the number is known.',
    }),
    index_failures: z.int().optional().meta({
      description:
        'Number of resources of the workspace that search cannot find, because indexing them fails. Indexing is retried. Present with an API key, when the number is known.',
    }),
    workspace: z.object({ id: z.uuid(), slug: z.string() }).optional(),
    brain: z.object({ id: z.uuid() }).optional(),
  })
  .meta({ id: 'Health' })

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
  body_bytes: z.int().meta({ description: 'Maximum size of a JSON body, beside the document, text or audio in it' }),
  document_bytes: z.int().meta({ description: 'Maximum size of an ingested document' }),
  artifact_bytes: z.int().meta({ description: 'Maximum size of the text of an artifact' }),
  audio_bytes: z.int().meta({ description: 'Maximum size of audio to transcribe' }),
  audio_seconds: z.int(),
  page_size: z.int(),
  stream_length: z.int(),
  stream_ttl_seconds: z.int(),
  idempotency_hours: z.int(),
}

const runEstimate = z
  .object({
    runs: z.int().meta({ description: 'Number of runs of which this is the mean' }),
    input_tokens: z.int(),
    output_tokens: z.int(),
    usd: z.number(),
  })
  .nullable()

const tokenEstimate = z.object({ input_tokens: z.int(), usd: z.number() })

const estimates = z
  .object({
    neuron_run: runEstimate.meta({
      description: 'Answer of a neuron: an invocation or a turn of a chat. Null if there was none.',
    }),
    pathway_run: runEstimate.meta({ description: 'Run of a pathway, with its child runs. Null if there was none.' }),
    ingest_1000_words: tokenEstimate.meta({ description: 'Embedding of 1,000 words of English text' }),
    search_query: tokenEstimate.meta({ description: 'Embedding of a query of 10 words' }),
    transcribe_minute: z
      .object({ usd: z.number() })
      .nullable()
      .meta({ description: 'A minute of audio; null without a speech service' }),
  })
  .meta({
    id: 'Estimates',
    description:
      'Estimated usage of a call. Runs: the mean of the last 100 completed runs of the workspace in 30 days. All else: the configured prices.',
  }) satisfies z.ZodType<Estimates>

export const settings = z
  .object({
    models: z.array(model),
    embedding: z.object({ model: z.string(), dimensions: z.int(), usd_per_mtok: z.number() }).nullable(),
    transcription: z.object({ model: z.string(), usd_per_minute: z.number() }).nullable(),
    limits: z.object(limits),
    estimates,
  })
  .meta({ id: 'Settings' })

/** What all callers see alike. */
export type Settings = Omit<z.output<typeof settings>, 'estimates'>

/** The language, embedding and speech models. */
export type ModelSettings = Pick<Settings, 'models' | 'embedding' | 'transcription'>
