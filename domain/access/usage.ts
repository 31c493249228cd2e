export const USAGE_GROUPS = ['day', 'kind', 'model', 'neuron', 'pathway', 'job'] as const
export type UsageGroup = (typeof USAGE_GROUPS)[number]

export interface Usage {
  input_tokens: number
  output_tokens: number
  usd: number
}

export const addUsage = (a: Usage, b: Usage): Usage => ({
  input_tokens: a.input_tokens + b.input_tokens,
  output_tokens: a.output_tokens + b.output_tokens,
  usd: a.usd + b.usd,
})
