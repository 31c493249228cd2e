import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Text,
  LanguageModelV4ToolCall,
  LanguageModelV4Usage,
} from '@ai-sdk/provider'
import { setTimeout as sleep } from 'node:timers/promises'
import type { JsonObject } from '../../domain/shared/json/json.ts'
import { answer as answerTo } from './answer.ts'
import { fillArguments } from './arguments.ts'
import { type Conversation, readConversation } from './conversation.ts'
import { documentsIn } from './text/documents.ts'
import { fill } from './fields/fill.ts'
import { splitQuestion } from './prompt.ts'
import { createSource } from './text/source.ts'
import { nextTool } from './tool-choice.ts'
import { countWords } from './text/words.ts'
import { conclude } from './write-up.ts'

/** Pause between words, so that users can see the answer being streamed. */
const PACE_MS = 7
/** Matches a word with the whitespace around it. */
const WORD = /\s*\S+\s*/g
/** Maximum number of characters in a piece of streamed arguments. */
const ARGUMENTS_PIECE = 200

/**
 * Creates a deterministic rule-based model that needs no provider and counts words as tokens. The model quotes the
 * best-matching sentences from its prompt, and fills JSON schemas from the prompt. It calls the tools that the
 * instructions or the user name, one after the other.
 */
export function createExtractiveModel(paceMs: number = PACE_MS): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'extractive',
    modelId: 'builtin:extractive',
    supportedUrls: {},
    async doGenerate(options) {
      const { content, finishReason, usage } = compose(options)
      return { content: [content], finishReason, usage, warnings: [] }
    },
    async doStream(options) {
      return { stream: ReadableStream.from(stream(options, paceMs)) }
    },
  }
}

async function* stream(options: LanguageModelV4CallOptions, paceMs: number): AsyncGenerator<LanguageModelV4StreamPart> {
  const { content, finishReason, usage } = compose(options)
  const calling = content.type === 'tool-call'
  const id = calling ? content.toolCallId : 'answer'
  yield { type: 'stream-start', warnings: [] }
  yield calling ? { type: 'tool-input-start', id, toolName: content.toolName } : { type: 'text-start', id }
  for (const delta of calling ? pieces(content.input) : words(content.text)) {
    await sleep(paceMs, undefined, { signal: options.abortSignal })
    yield { type: calling ? 'tool-input-delta' : 'text-delta', id, delta }
  }
  yield { type: calling ? 'tool-input-end' : 'text-end', id }
  if (calling) yield content
  yield { type: 'finish', finishReason, usage }
}

const words = (text: string): string[] => text.match(WORD) ?? []

/** Splits the arguments of a call into pieces that are larger than words. */
const pieces = (text: string): string[] => text.match(new RegExp(`[\\s\\S]{1,${ARGUMENTS_PIECE}}`, 'g')) ?? []

interface Composition {
  content: LanguageModelV4ToolCall | LanguageModelV4Text
  finishReason: LanguageModelV4FinishReason
  usage: LanguageModelV4Usage
}

function compose(options: LanguageModelV4CallOptions): Composition {
  const talk = readConversation(options.prompt)
  const brought = talk.results.map(({ output }) => JSON.stringify(output))
  const read = [talk.instructions, talk.userText, ...brought].reduce((sum, text) => sum + countWords(text), 0)
  const tool = nextTool(options, talk)
  const offered = (options.tools ?? []).map(({ name }) => name)
  const { args, missing } = tool ? fillArguments(tool, offered, talk) : { args: {}, missing: [] }
  const isForced = options.toolChoice?.type === 'required' || options.toolChoice?.type === 'tool'
  if (tool && (missing.length === 0 || isForced)) {
    const input = JSON.stringify(args)
    const toolCallId = `call-${talk.calls + 1}-${tool.name}`
    return {
      content: { type: 'tool-call', toolCallId, toolName: tool.name, input },
      finishReason: { unified: 'tool-calls', raw: undefined },
      usage: buildUsage(read, countWords(input)),
    }
  }
  const answer = words(tool ? describeMissing(tool.name, missing) : reply(options, talk))
  const { maxOutputTokens = Infinity } = options
  const text = answer.slice(0, maxOutputTokens).join('')
  return {
    content: { type: 'text', text },
    finishReason: { unified: answer.length > maxOutputTokens ? 'length' : 'stop', raw: undefined },
    usage: buildUsage(read, countWords(text)),
  }
}

/**
 * Returns the message for a call that is not made because values are missing from the text. The model never invents
 * values.
 */
const describeMissing = (tool: string, missing: string[]): string =>
  `I did not call ${tool}: I found no ${missing.join(' and no ')}. Write it with its name, as in "${missing[0]}: ...".`

function reply({ responseFormat }: LanguageModelV4CallOptions, talk: Conversation): string {
  const question = splitQuestion(talk.instructions, talk.userText)
  if (responseFormat?.type !== 'json') return talk.results.length > 0 ? conclude(talk) : answerTo(question)
  const texts = documentsIn(talk.results).map(({ text }) => text)
  const source = createSource({ ...question, context: [...texts, question.context].join('\n\n') })
  return JSON.stringify(fill(source, (responseFormat.schema ?? { type: 'object' }) as JsonObject) ?? null, null, 1)
}

function buildUsage(read: number, writtenTokens: number): LanguageModelV4Usage {
  return {
    inputTokens: { total: read, noCache: read, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: writtenTokens, text: writtenTokens, reasoning: undefined },
  }
}
