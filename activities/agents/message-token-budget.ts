import { estimateTokens } from '../../domain/search/chunking/approximate-tokens.ts'
import type { ModelInfo } from '../../domain/agents/models/model-info.ts'
import type { NeuronRunSpec } from '../../domain/agents/run-spec.ts'

/** Reserved for the answer when neither the neuron nor the model sets a limit. */
const DEFAULT_ANSWER_TOKENS = 4_096
/** The count of tokens is an estimate. */
const USABLE_SHARE = 0.9

/** Returns how many tokens the messages may have; undefined when the model's context is unknown. */
export function messageTokenBudget(
  { context_window, max_output_tokens }: ModelInfo,
  spec: NeuronRunSpec,
): number | undefined {
  if (context_window === null || context_window === undefined) return undefined
  const answer = spec.max_output_tokens ?? Math.min(max_output_tokens ?? DEFAULT_ANSWER_TOKENS, context_window / 4)
  const tools = spec.tools.map(({ alias, description, parameters }) => ({ alias, description, parameters }))
  const fixed = estimateTokens(spec.instructions) + estimateTokens(JSON.stringify(tools))
  return Math.max(0, Math.floor(context_window * USABLE_SHARE - answer - fixed))
}
