import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModelV4 } from '@ai-sdk/provider'
import { LRUCache } from 'lru-cache'
import type { Config } from '../../../config/config.ts'
import type { ModelInfo, ModelProvider } from '../../../domain/agents/models/model-info.ts'
import { createModelRegistry } from '../../../domain/agents/models/registry.ts'
import type { ObserveProviderCall } from '../../../domain/agents/provider-calls.ts'
import { createRedactor } from '../../../domain/tools/redactor.ts'
import { StepError } from '../../../domain/runs/step-error.ts'
import { limitResponse } from '../../../domain/agents/models/bounded-answer.ts'

/** The language models available to neurons. */
export interface Models {
  /** Returns the model with this id, or the default model. Throws StepError UNKNOWN_MODEL. */
  find(id?: string): LanguageModelV4
  /** Returns the context size, prices and capabilities. Throws StepError UNKNOWN_MODEL. */
  describe(id?: string): ModelInfo
  /** Removes provider keys from a text that a provider sent. */
  redact(text: string): string
  /** Called for each request to a provider. */
  observe: ObserveProviderCall
}

type Provider = 'OPENAI' | 'ANTHROPIC' | 'GOOGLE' | 'MODEL'
type ModelSettings = Pick<
  Config,
  `${Provider}_API_KEY` | `${Provider}_BASE_URL` | 'MODEL_DEFAULT' | Extract<keyof Config, 'MODELS'>
>

/** Creates the clients for all providers. Each client connects on its first call. */
export function createModels(settings: ModelSettings, observe: ObserveProviderCall = () => undefined): Models {
  const registry = createModelRegistry(settings)
  const clients = createClients(settings)
  const { OPENAI_API_KEY, ANTHROPIC_API_KEY, GOOGLE_API_KEY, MODEL_API_KEY } = settings
  const keys = [OPENAI_API_KEY, ANTHROPIC_API_KEY, GOOGLE_API_KEY, MODEL_API_KEY]
  const redactor = createRedactor(keys.flatMap(key => key ?? []))

  function getModel(id: string | undefined) {
    const result = registry.find(id)
    if ('problem' in result) throw new StepError('UNKNOWN_MODEL', result.problem)
    return result
  }

  return {
    find(id) {
      const { model, name } = getModel(id)
      return clients[model.provider].memo(name)
    },
    describe: id => getModel(id).model,
    redact: text => redactor.text(text),
    observe,
  }
}

/** A provider's clients by model name. Clients are cached, because building the answer schemas takes a millisecond. */
type Clients = LRUCache<string, LanguageModelV4>
const memoize = (create: (name: string) => LanguageModelV4): Clients => new LRUCache({ max: 100, memoMethod: create })

/** Keys are passed even if they are empty, because the SDK would otherwise read them from the environment. */
function createClients(settings: ModelSettings): Record<ModelProvider, Clients> {
  const openai = createOpenAI({
    apiKey: settings.OPENAI_API_KEY ?? '',
    baseURL: trimSlashes(settings.OPENAI_BASE_URL) ?? 'https://api.openai.com/v1',
    fetch: providerFetch,
  })
  const anthropic = createAnthropic({
    apiKey: settings.ANTHROPIC_API_KEY ?? '',
    baseURL: trimSlashes(settings.ANTHROPIC_BASE_URL) ?? 'https://api.anthropic.com/v1',
    fetch: providerFetch,
  })
  const google = createGoogle({
    apiKey: settings.GOOGLE_API_KEY ?? '',
    baseURL: trimSlashes(settings.GOOGLE_BASE_URL),
    fetch: providerFetch,
  })
  const compatible = createOpenAICompatible({
    name: 'provider',
    baseURL: trimSlashes(settings.MODEL_BASE_URL) ?? '',
    apiKey: settings.MODEL_API_KEY,
    includeUsage: true,
    supportsStructuredOutputs: true,
    fetch: providerFetch,
  })
  return {
    // Use the responses API, because chat completions for reasoning models do not accept tools.
    openai: memoize(name => openai.responses(name)),
    anthropic: memoize(name => anthropic(name)),
    google: memoize(name => google(name)),
    'openai-compatible': memoize(name => compatible(name)),
  }
}

const trimSlashes = (url: string | undefined): string | undefined => url?.replace(/\/+$/, '')

/** Large enough for a very long answer, including protocol overhead per token. */
const MAX_BYTES = 134_217_728

/**
 * The `fetch` function for providers. It limits the response size. It also rejects redirects, because otherwise
 * headers with keys would be sent to the new host.
 */
const providerFetch: typeof fetch = async (input, init) =>
  limitResponse(await fetch(input, { ...init, redirect: 'error' }), MAX_BYTES)
