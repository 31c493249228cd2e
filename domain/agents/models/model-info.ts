/** The provider of a model: the part of its id before the colon, or the OpenAI-compatible one at MODEL_BASE_URL. */
export type ModelProvider = 'openai' | 'anthropic' | 'google' | 'openai-compatible'

/** Prices in USD per million tokens. Cached input has the price of `input` if `cached_input` is absent. */
export interface ModelPrices {
  input: number
  output: number
  cached_input?: number
}

/** Properties of a model; null if unknown. */
export interface ModelInfo {
  id: string
  provider: ModelProvider
  /** Maximum number of tokens of input and output together. */
  context_window: number | null
  max_output_tokens: number | null
  usd_per_mtok: ModelPrices | null
  capabilities: string[]
}

/** An entry of a model table or of the setting MODELS. An absent field keeps its earlier value, or is unknown. */
export interface ModelEntry {
  id: string
  context_window?: number
  max_output_tokens?: number
  usd_per_mtok?: ModelPrices
  capabilities?: string[]
}
