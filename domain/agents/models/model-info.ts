/** A model provider: the part of a model id before the colon, or the OpenAI-compatible provider at MODEL_BASE_URL. */
export type ModelProvider = 'openai' | 'anthropic' | 'google' | 'openai-compatible'

/** Prices in USD per million tokens. Without `cached_input`, cached input costs the same as `input`. */
export interface ModelPrices {
  input: number
  output: number
  cached_input?: number
}

/** Properties of a model; null if unknown. */
export interface ModelInfo {
  id: string
  provider: ModelProvider
  /** Maximum number of input and output tokens together. */
  context_window: number | null
  max_output_tokens: number | null
  usd_per_mtok: ModelPrices | null
  capabilities: string[]
}

/** An entry in a model table or in the MODELS setting. An absent field keeps its previous value, or stays unknown. */
export interface ModelEntry {
  id: string
  context_window?: number
  max_output_tokens?: number
  usd_per_mtok?: ModelPrices
  capabilities?: string[]
}
