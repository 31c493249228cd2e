/** Who answers for a model: the part of its id before the colon, or whatever speaks OpenAI's protocol at MODEL_BASE_URL. */
export type ModelProvider = 'openai' | 'anthropic' | 'google' | 'openai-compatible' | 'builtin'

/** In USD per million tokens. Where no price of cached input is given, it costs what other input does. */
export interface ModelPrices {
  input: number
  output: number
  cached_input?: number
}

/** What is known of a model. Null: not known. */
export interface ModelInfo {
  id: string
  provider: ModelProvider
  /** Tokens of input and output together. */
  context_window: number | null
  max_output_tokens: number | null
  usd_per_mtok: ModelPrices | null
  capabilities: string[]
}

/** A model as a table or the operator describes it. What is left out is as it was, or not known. */
export interface ModelEntry {
  id: string
  context_window?: number
  max_output_tokens?: number
  usd_per_mtok?: ModelPrices
  capabilities?: string[]
}
