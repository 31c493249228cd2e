import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import { unmark } from '../../domain/pathways/labels/marked-data.ts'
import { isJsonObject, type JsonValue } from '../../domain/shared/json/json.ts'
import { bounded, promptTexts, joinText } from './prompt.ts'

/** The result of one tool call. */
export interface ToolResult {
  tool: string
  /** The arguments of the call. */
  args: JsonValue
  output: JsonValue
  /** True if the call failed or was rejected. `output` contains the reason. */
  failed: boolean
}

export interface Conversation {
  instructions: string
  /** The text of all user messages. */
  userText: string
  /** The latest user message. */
  message: string
  /** The results of tool calls after the latest user message, in order. */
  results: ToolResult[]
  /** The names of the tools that were called after the latest user message. */
  called: Set<string>
  /** Number of tool calls in the conversation. */
  calls: number
  /** True if the last message is not from the model, so that the model must respond. */
  awaits: boolean
}

type Part = { type: string }
type ResultPart = { type: 'tool-result'; toolCallId: string; toolName: string; output: { value: string } }
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
      .map(part => readToolResult(part, byId.get(part.toolCallId) ?? null)),
    called: new Set(since.map(({ toolName }) => toolName)),
    calls: callsIn(prompt).length,
    awaits: prompt.at(-1)?.role === 'user' || prompt.at(-1)?.role === 'tool',
  }
}

const listParts = (content: string | Part[]): Part[] => (typeof content === 'string' ? [] : content)
const isCall = (part: Part): part is CallPart => part.type === 'tool-call'
const isResult = (part: Part): part is ResultPart => part.type === 'tool-result'

const callsIn = (prompt: LanguageModelV4Prompt): CallPart[] =>
  prompt.flatMap(({ content }) => listParts(content).filter(isCall))

/**
 * Reads a tool result. The API returns only text, which doesn't indicate whether a call failed. Ganglion reports a
 * failure as an object with `error`.
 */
function readToolResult({ toolName: tool, output: { value } }: ResultPart, args: JsonValue): ToolResult {
  const output = read(value)
  return { tool, args, output, failed: isJsonObject(output) && 'error' in output }
}

const MAX_JSON_CHARS = 1_000_000

/** Parses text as JSON. Returns the text itself if it is not valid JSON. */
function read(value: string): JsonValue {
  const plain = unmark(value)
  const text = bounded(plain)
  if (plain.length > MAX_JSON_CHARS || !/^\s*[{[]/.test(plain)) return text
  try {
    return JSON.parse(plain) as JsonValue
  } catch {
    return text
  }
}
