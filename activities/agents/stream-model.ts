import type { LanguageModelV4 } from '@ai-sdk/provider'
import {
  type AssistantModelMessage,
  type ContentPart,
  experimental_streamLanguageModelCall,
  jsonSchema,
  type ModelMessage,
  Output,
  tool,
  type ToolSet,
  wrapLanguageModel,
} from 'ai'
import { toResponseMessages } from 'ai/internal'
import type { TokenUsage } from '../../domain/agents/models/cost.ts'
import type { JsonSchema, JsonValue } from '../../domain/shared/json/json.ts'
import { toStorableText, toStorableValue } from '../../domain/shared/json/storable.ts'
import { StepError } from '../../domain/runs/step-error.ts'
import { type OfferedTool, type ToolCall, ToolCalls } from './tool-calls.ts'

export type ToolChoice = 'auto' | 'none' | 'required' | { name: string }

export interface ModelQuestion {
  system?: string
  messages: ModelMessage[]
  /** The tools by name. Calls are returned in the answer instead of being executed. */
  tools?: Record<string, OfferedTool>
  tool_choice?: ToolChoice
  /** The schema for the response format. */
  format?: JsonSchema
  max_output_tokens?: number
  temperature?: number
  /** If the answer is longer, MODEL_OUTPUT_TOO_LARGE is thrown. */
  maxChars: number
  onToken(token: string): void
}

/**
 * `tools`: the model is waiting for call results. `length`: the answer was truncated at a limit. `refused`: the
 * provider or the model declined to answer.
 */
export type ModelFinish = 'stop' | 'tools' | 'length' | 'refused'

export interface StreamedAnswer {
  text: string
  /** In the same order as in the model's answer. */
  calls: ToolCall[]
  finish: ModelFinish
  usage: Required<TokenUsage>
  /** The answer, including signed reasoning, in the form that the provider expects in the next request. Plain JSON. */
  response_messages: AssistantModelMessage[]
}

/** Nothing is stored at the provider, because a run may outlive the provider's storage. */
const PROVIDER_OPTIONS = { provider: { strictJsonSchema: false }, openai: { strictJsonSchema: false, store: false } }

/** Calls a model once and streams the answer. Throws the provider's error, the signal's reason, or StepError. */
export async function streamModel(
  model: LanguageModelV4,
  question: ModelQuestion,
  signal: AbortSignal,
): Promise<StreamedAnswer> {
  const overflow = new AbortController()
  try {
    return await read(model, question, AbortSignal.any([signal, overflow.signal]))
  } catch (error) {
    overflow.abort()
    throw error
  }
}

/** Calls the model without the SDK's wrapping loop, which copies each part of the answer several times. */
async function read(model: LanguageModelV4, question: ModelQuestion, signal: AbortSignal): Promise<StreamedAnswer> {
  const { maxChars } = question
  const tools = question.tools && toToolSet(question.tools)
  let content: ContentPart<ToolSet>[] = []
  const { stream } = await experimental_streamLanguageModelCall({
    model: question.tool_choice === 'none' ? withoutCalls(model) : model,
    instructions: question.system,
    messages: question.messages,
    tools,
    toolChoice: toToolChoice(question.tool_choice),
    maxOutputTokens: question.max_output_tokens,
    temperature: question.temperature,
    output: question.format && Output.object({ schema: jsonSchema(question.format) }),
    abortSignal: signal,
    providerOptions: PROVIDER_OPTIONS,
    onLanguageModelCallEnd: answer => {
      content = [...answer.content]
    },
  })
  const calls = new ToolCalls()
  let text = ''
  let reasoningChars = 0
  let end: { finishReason: string; rawFinishReason?: string; usage: Required<TokenUsage> } | undefined
  const pieces = createTextPieces()
  const addText = (piece: string) => {
    if (piece === '') return
    text += piece
    question.onToken(piece)
  }
  for await (const part of stream) {
    if (part.type === 'error') throw part.error
    if (part.type === 'tool-input-start') calls.start(part.id, part.toolName)
    if (part.type === 'tool-input-delta') calls.append(part.id, part.delta)
    if (part.type === 'tool-call') calls.finish(part)
    if (part.type === 'reasoning-delta') reasoningChars += part.text.length
    if (part.type === 'model-call-end') end = { ...part, usage: toTokenUsage(part.usage) }
    if (part.type === 'text-delta') addText(pieces.add(part.text))
    if (Math.max(text.length, reasoningChars) > maxChars)
      throw new StepError('MODEL_OUTPUT_TOO_LARGE', `The model's answer is longer than ${maxChars} characters`)
  }
  addText(pieces.end())
  signal.throwIfAborted()
  if (!end) throw new Error('The stream ended before the answer was complete')
  const cut = end.finishReason === 'length'
  const answer = { text, calls: calls.all({ cut }), usage: end.usage }
  const finish = classifyFinish(end, answer.calls.length > 0)
  const messages = keepAnswers(await toResponseMessages({ content, tools }))
  return {
    ...answer,
    finish,
    response_messages: toStorableValue(messages as unknown as JsonValue) as unknown as AssistantModelMessage[],
  }
}

/** Creates a buffer that makes pieces of text storable. A provider may split a character across two pieces. */
function createTextPieces(): { add(piece: string): string; end(): string } {
  let half = ''
  return {
    add(piece) {
      const text = half + piece
      half = /[\ud800-\udbff]$/.exec(text)?.[0] ?? ''
      return toStorableText(text.slice(0, text.length - half.length))
    },
    end: () => toStorableText(half),
  }
}

const toToolSet = (tools: Record<string, OfferedTool>): ToolSet =>
  Object.fromEntries(
    Object.entries(tools).map(([name, { description, inputSchema }]) => [
      name,
      tool({ description, inputSchema: jsonSchema(inputSchema) }),
    ]),
  )

function toToolChoice(choice: ToolChoice | undefined) {
  if (choice === 'none') return undefined
  return typeof choice === 'object' ? { type: 'tool' as const, toolName: choice.name } : choice
}

/**
 * Sets the tool choice only for the provider. The SDK would discard the whole answer if a model called a tool despite
 * this choice.
 */
const withoutCalls = (model: LanguageModelV4): LanguageModelV4 =>
  wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: 'v4',
      transformParams: async ({ params }) => ({ ...params, toolChoice: { type: 'none' } }),
    },
  })

function classifyFinish(end: { finishReason: string; rawFinishReason?: string }, calling: boolean): ModelFinish {
  const { finishReason, rawFinishReason } = end
  if (finishReason === 'content-filter') return 'refused'
  if (finishReason === 'length') return 'length'
  if (rawFinishReason === 'MALFORMED_FUNCTION_CALL')
    throw new StepError('MODEL_OUTPUT_INVALID', "The provider could not parse the model's tool call", {
      retryable: true,
    })
  if (finishReason === 'error' || finishReason === 'interrupted')
    throw new Error('The stream ended before the answer was complete')
  return calling ? 'tools' : 'stop'
}

/** Drops the SDK's notes about calls that it could not parse. The code that executes calls reports these calls. */
function keepAnswers(messages: ModelMessage[]): AssistantModelMessage[] {
  return messages.filter(message => message.role === 'assistant').map(withObjectInputs)
}

/** Converts arguments to objects, because providers reject any other type. */
function withObjectInputs(message: AssistantModelMessage): AssistantModelMessage {
  if (typeof message.content === 'string') return message
  const content = message.content.map(part =>
    part.type === 'tool-call' && (typeof part.input !== 'object' || Array.isArray(part.input))
      ? { ...part, input: {} }
      : part,
  )
  return { ...message, content }
}

const toTokenUsage = (usage: {
  inputTokens?: number
  outputTokens?: number
  inputTokenDetails?: { cacheReadTokens?: number }
}): Required<TokenUsage> => ({
  input_tokens: usage.inputTokens ?? 0,
  output_tokens: usage.outputTokens ?? 0,
  cached_input_tokens: usage.inputTokenDetails?.cacheReadTokens ?? 0,
})
