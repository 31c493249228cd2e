import type { LanguageModelV4 } from '@ai-sdk/provider'
import { streamText } from 'ai'
import type { JsonSchema } from '../../domain/json.ts'
import { StepError } from '../step-error.ts'
import { jsonOutput } from './json-answer.ts'

export interface ModelCall {
  model: LanguageModelV4
  instructions?: string
  message: string
  max_output_tokens?: number
  temperature?: number
  /** Asked for as the response format. */
  format?: JsonSchema
  signal: AbortSignal
  /** The longest answer that is taken, in characters. */
  maxChars: number
  onToken(token: string): void
}

export interface ModelAnswer {
  text: string
  usage: { input_tokens: number; output_tokens: number }
}

/** Nothing but text is asked for and nothing is tried twice: retries are Temporal's. */
const FIXED = { maxRetries: 0, onError: () => undefined, providerOptions: { provider: { strictJsonSchema: false } } }

/** One call of the model. Throws what the provider threw, the signal's reason, or StepError. */
export async function streamAnswer(call: ModelCall): Promise<ModelAnswer> {
  const overflow = new AbortController()
  const result = streamText({
    ...FIXED,
    model: call.model,
    instructions: call.instructions,
    prompt: call.message,
    maxOutputTokens: call.max_output_tokens,
    temperature: call.temperature,
    output: call.format && jsonOutput(call.format),
    abortSignal: AbortSignal.any([call.signal, overflow.signal]),
  })
  let text = ''
  for await (const part of result.stream) {
    if (part.type === 'error') throw part.error
    if (part.type === 'abort') throw call.signal.reason
    if (part.type === 'finish') return { text: complete(text, part.finishReason), usage: usageOf(part.totalUsage) }
    if (part.type !== 'text-delta' || part.text === '') continue
    text += part.text
    if (text.length > call.maxChars) {
      overflow.abort()
      throw new StepError('MODEL_OUTPUT_TOO_LARGE', `The model's answer is longer than ${call.maxChars} characters`)
    }
    call.onToken(part.text)
  }
  call.signal.throwIfAborted()
  throw new Error('The stream ended before the answer did')
}

function complete(text: string, finishReason: string): string {
  if (finishReason === 'content-filter')
    throw new StepError('MODEL_REFUSED_INPUT', 'The model provider filtered the answer out')
  return text
}

const usageOf = (usage: { inputTokens?: number; outputTokens?: number }): ModelAnswer['usage'] => ({
  input_tokens: usage.inputTokens ?? 0,
  output_tokens: usage.outputTokens ?? 0,
})
