import type { LanguageModelV4Prompt, LanguageModelV4ToolResultPart } from '@ai-sdk/provider'
import { unmark } from '../../../domain/flow/marked-data.ts'
import type { JsonValue } from '../../../domain/json.ts'
import { bounded, promptTexts, joinText } from './prompt.ts'

/** The result of one tool call. */
export interface ToolResult {
  tool: string
  /** The arguments it was called with. */
  args: JsonValue
  output: JsonValue
  /** True when the call failed or was rejected. `output` holds the reason. */
  failed: boolean
}

export interface Conversation {
  instructions: string
  /** All messages of the user. */
  userText: string
  /** The last message of the user. */
  message: string
  /** Results of tools after that message, in order. */
  results: ToolResult[]
  /** The tools called after that message. */
  called: Set<string>
  /** Number of calls in the conversation. */
  calls: number
  /** True when the last message is not the model's. */
  awaits: boolean
}

type Part = { type: string }
type CallPart = { type: 'tool-call'; toolCallId: string; toolName: string; input: unknown }

export function readConversation(prompt: LanguageModelV4Prompt): Conversation {
  const { instructions, message: userText } = promptTexts(prompt)
  const from = prompt.findLastIndex(({ role }) => role === 'user')
  const last = prompt[from]
  const since = callsIn(prompt.slice(from + 1))
  const byId = new Map(since.map(call => [call.toolCallId, call.input as JsonValue]))
  return {
    instructions,
    userText,
    message: last ? bounded(unmark(joinText(last.content))) : '',
    results: prompt
      .slice(from + 1)
      .flatMap(({ content }) => listParts(content).filter(isResult))
      .map(part => toToolResult(part, byId.get(part.toolCallId) ?? null)),
    called: new Set(since.map(({ toolName }) => toolName)),
    calls: callsIn(prompt).length,
    awaits: prompt.at(-1)?.role === 'user' || prompt.at(-1)?.role === 'tool',
  }
}

const listParts = (content: string | Part[]): Part[] => (typeof content === 'string' ? [] : content)
const isCall = (part: Part): part is CallPart => part.type === 'tool-call'
const isResult = (part: Part): part is LanguageModelV4ToolResultPart => part.type === 'tool-result'

const callsIn = (prompt: LanguageModelV4Prompt): CallPart[] =>
  prompt.flatMap(({ content }) => listParts(content).filter(isCall))

function toToolResult({ toolName: tool, output }: LanguageModelV4ToolResultPart, args: JsonValue): ToolResult {
  if (output.type === 'execution-denied')
    return { tool, args, output: output.reason ?? 'the call was rejected', failed: true }
  if (output.type === 'content') return { tool, args, output: read(joinText(output.value)), failed: false }
  const failed = output.type === 'error-text' || output.type === 'error-json'
  return { tool, args, output: read(output.value as JsonValue), failed }
}

const MAX_JSON_CHARS = 1_000_000

/** Parses JSON in a text. */
function read(value: JsonValue): JsonValue {
  if (typeof value !== 'string') return value
  const plain = unmark(value)
  const text = bounded(plain)
  if (plain.length > MAX_JSON_CHARS || !/^\s*[{[]/.test(plain)) return text
  try {
    return JSON.parse(plain) as JsonValue
  } catch {
    return text
  }
}
