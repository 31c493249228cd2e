import { KNOWN_MODELS } from './known-models.ts'
import type { ModelEntry, ModelInfo, ModelProvider } from './model-info.ts'

/**
 * Settings that determine the available models. They are the same in every process, so every process has the same
 * list.
 */
export interface ModelSettings {
  OPENAI_API_KEY?: string
  ANTHROPIC_API_KEY?: string
  GOOGLE_API_KEY?: string
  MODEL_BASE_URL?: string
  /** Default model id. If unset, each call must name a model. */
  MODEL_DEFAULT?: string
  MODELS?: readonly ModelEntry[]
}

/** A callable model and its name at the provider, or the reason why the model can't be called. */
export type FoundModel = { model: ModelInfo; name: string } | { problem: string }

export interface ModelRegistry {
  /** Returns the known models that can be called, with the default model first. A provider may offer more models. */
  list(): ModelInfo[]
  /** Returns the model with this id. Without an id, returns the default model, if set. */
  find(id?: string): FoundModel
}

type ResolvedModel = { provider: ModelProvider; name: string } | { problem: string }

const BY_KEY = [
  { provider: 'openai', setting: 'OPENAI_API_KEY' },
  { provider: 'anthropic', setting: 'ANTHROPIC_API_KEY' },
  { provider: 'google', setting: 'GOOGLE_API_KEY' },
] as const

const STREAMED_TEXT = ['text', 'structured_output', 'streaming']
const MAX_SHOWN_CHARS = 100
const NO_MODEL = 'No model is set: set `model` in the agent or node, or set MODEL_DEFAULT'

export function createModelRegistry(settings: ModelSettings): ModelRegistry {
  const { MODEL_DEFAULT, MODELS = [] } = settings
  const entries = new Map<string, ModelEntry>()
  for (const entry of [...KNOWN_MODELS, ...MODELS]) entries.set(entry.id, { ...entries.get(entry.id), ...entry })

  function find(id = MODEL_DEFAULT): FoundModel {
    if (id === undefined) return { problem: NO_MODEL }
    const place = resolveModel(id, settings)
    if ('problem' in place)
      return { problem: `The model "${id.slice(0, MAX_SHOWN_CHARS)}" cannot be used: ${place.problem}` }
    return { model: describe(entries.get(id) ?? { id }, place.provider), name: place.name }
  }

  return {
    find,
    list: () =>
      [...new Set([...(MODEL_DEFAULT ? [MODEL_DEFAULT] : []), ...entries.keys()])].flatMap(id => {
        const lookup = find(id)
        return 'model' in lookup ? [lookup.model] : []
      }),
  }
}

/** Resolves the provider from the prefix of the id. An id without a prefix names a model at MODEL_BASE_URL. */
function resolveModel(id: string, settings: ModelSettings): ResolvedModel {
  const providerKey = BY_KEY.find(({ provider }) => id.startsWith(`${provider}:`))
  if (providerKey) {
    const name = id.slice(providerKey.provider.length + 1)
    if (name === '') return { problem: 'the id must name a model of the provider' }
    return settings[providerKey.setting]
      ? { provider: providerKey.provider, name }
      : { problem: `${providerKey.setting} is not set` }
  }
  return settings.MODEL_BASE_URL
    ? { provider: 'openai-compatible', name: id }
    : { problem: 'MODEL_BASE_URL is not set, and the model id has no provider prefix' }
}

function describe(entry: ModelEntry, provider: ModelProvider): ModelInfo {
  const { id, context_window = null, max_output_tokens = null, usd_per_mtok = null } = entry
  const { capabilities = STREAMED_TEXT } = entry
  return { id, provider, context_window, max_output_tokens, usd_per_mtok, capabilities }
}
