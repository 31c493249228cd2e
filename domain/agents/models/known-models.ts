import type { ModelEntry } from './model-info.ts'

const ALL_CAPABILITIES = ['text', 'structured_output', 'streaming', 'tools', 'vision']

const model = (
  id: string,
  context_window: number,
  max_output_tokens: number,
  [input, cached_input, output]: [input: number, cached: number, output: number],
): ModelEntry => ({
  id,
  context_window,
  max_output_tokens,
  usd_per_mtok: { input, output, cached_input },
  capabilities: ALL_CAPABILITIES,
})

/**
 * Well-known models with their list prices as of July 2026, without surcharges for long prompts or cache writes. The
 * MODELS setting overrides and extends this table, so operators can keep prices current.
 */
export const KNOWN_MODELS: readonly ModelEntry[] = [
  model('openai:gpt-5.6', 1_050_000, 128_000, [5, 0.5, 30]),
  model('openai:gpt-5.4', 1_050_000, 128_000, [2.5, 0.25, 15]),
  model('openai:gpt-5.4-mini', 400_000, 128_000, [0.75, 0.075, 4.5]),
  model('openai:gpt-5.4-nano', 400_000, 128_000, [0.2, 0.02, 1.25]),
  model('openai:gpt-4.1', 1_047_576, 32_768, [2, 0.5, 8]),
  model('anthropic:claude-opus-5', 1_000_000, 128_000, [5, 0.5, 25]),
  model('anthropic:claude-sonnet-5', 1_000_000, 128_000, [2, 0.2, 10]),
  model('anthropic:claude-sonnet-4-6', 1_000_000, 64_000, [3, 0.3, 15]),
  model('anthropic:claude-haiku-4-5', 200_000, 64_000, [1, 0.1, 5]),
  model('google:gemini-3.6-flash', 1_048_576, 65_536, [1.5, 0.15, 7.5]),
  model('google:gemini-3.5-flash-lite', 1_048_576, 65_536, [0.3, 0.03, 2.5]),
  model('google:gemini-2.5-pro', 1_048_576, 65_535, [1.25, 0.125, 10]),
]
