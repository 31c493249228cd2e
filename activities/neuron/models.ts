import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { Config } from '../../config/config.ts'
import { StepError } from '../step-error.ts'
import { createExtractiveModel, EXTRACTIVE } from './extractive/model.ts'

/** The language models that neurons may name. */
export interface Models {
  /** The model of this id, or the default one. Throws StepError UNKNOWN_MODEL. */
  find(id?: string): LanguageModelV4
  /** Blots the provider's key out of a text that came from it. */
  redact(text: string): string
}

export type ModelSettings = Pick<Config, 'MODEL_BASE_URL' | 'MODEL_API_KEY' | 'MODEL_DEFAULT'>

/** `builtin:…` ids are ours; any other goes to the OpenAI-compatible provider, which knows its own models. */
export function createModels({ MODEL_BASE_URL, MODEL_API_KEY, MODEL_DEFAULT }: ModelSettings): Models {
  const extractive = createExtractiveModel()
  const provider =
    MODEL_BASE_URL === undefined
      ? undefined
      : createOpenAICompatible({
          name: 'provider',
          baseURL: MODEL_BASE_URL.replace(/\/+$/, ''),
          apiKey: MODEL_API_KEY,
          includeUsage: true,
          supportsStructuredOutputs: true,
        })
  return {
    find(id = MODEL_DEFAULT) {
      if (id === EXTRACTIVE) return extractive
      if (provider && !id.startsWith('builtin:')) return provider(id)
      const why = provider ? 'there is no such built-in model' : 'no model provider is configured'
      throw new StepError('UNKNOWN_MODEL', `The model "${id.slice(0, 100)}" is not known: ${why}`)
    },
    redact: text => (MODEL_API_KEY ? text.replaceAll(MODEL_API_KEY, '[redacted]') : text),
  }
}
