import type { ModelInfo } from './model-info.ts'

export interface TokenUsage {
  /** Input tokens, including cached ones. */
  input_tokens: number
  output_tokens: number
  cached_input_tokens?: number
}

export interface Cost {
  usd: number
  /** False if the model price is unknown; `usd` is then 0 and meaningless. */
  priced: boolean
}

const MILLION = 1_000_000

export function computeCost({ usd_per_mtok: prices }: Pick<ModelInfo, 'usd_per_mtok'>, usage: TokenUsage): Cost {
  if (!prices) return { usd: 0, priced: false }
  const cached = Math.min(usage.cached_input_tokens ?? 0, usage.input_tokens)
  const input = (usage.input_tokens - cached) * prices.input + cached * (prices.cached_input ?? prices.input)
  return { usd: (input + usage.output_tokens * prices.output) / MILLION, priced: true }
}
