import type { ModelMessage } from 'ai'
import { estimateTokens } from '../../domain/search/chunking/approximate-tokens.ts'
import { shortenMarked } from '../../domain/pathways/labels/marked-data.ts'
import type { Conversation } from './conversation.ts'

/** A conversation that fits the token budget, with the numbers of shortened results and dropped messages. */
export interface Compaction {
  messages: ModelMessage[]
  shortened: number
  dropped: number
}

const MAX_RESULT_CHARS = 1_000
/** The number of most recent steps that are shortened only if nothing else can be dropped. */
const RECENT_STEPS = 2

/**
 * Reduces a conversation to fit the token budget. First shortens the oldest call results. Then drops whole turns
 * before the question, because a conversation must start with a user message. Finally drops the oldest steps with
 * their calls and results. The question and the last step are always kept. Returns undefined if these two alone
 * exceed the budget.
 * @param tokens maximum number of tokens for the messages
 */
export function compact(conversation: Conversation, tokens: number): Compaction | undefined {
  const [earlier, question] = [conversation.earlier.map(measure), conversation.question.map(measure)]
  const steps = conversation.steps.map(step => step.map(measure))
  const total = sumSizes([...earlier, ...question, ...steps.flat()])
  const outcome = { excess: total - tokens, shortened: 0, dropped: 0 }

  const shorten = (entry: MeasuredMessage): MeasuredMessage => {
    if (outcome.excess <= 0 || entry.message.role !== 'tool') return entry
    const shorter = measure(shortenResults(entry.message))
    if (shorter.size >= entry.size) return entry
    outcome.shortened++
    outcome.excess -= entry.size - shorter.size
    return shorter
  }
  const shortenSteps = (keptCount: number): void => {
    for (let i = 0; i < steps.length - keptCount; i++) steps[i] = (steps[i] ?? []).map(shorten)
  }
  const drop = (droppedMessages: MeasuredMessage[]): void => {
    outcome.dropped += droppedMessages.length
    outcome.excess -= sumSizes(droppedMessages)
  }
  const dropSteps = (keptCount: number): void => {
    while (outcome.excess > 0 && steps.length > keptCount) drop(steps.shift() ?? [])
  }

  shortenSteps(RECENT_STEPS)
  while (outcome.excess > 0 && earlier.length > 0) drop(earlier.splice(0, firstTurn(earlier)))
  dropSteps(RECENT_STEPS)
  shortenSteps(0)
  dropSteps(1)
  if (outcome.excess > 0) return undefined
  const questionParts = question.map(entry => noteOmission(entry, conversation.steps.length - steps.length))
  const messages = [...earlier, ...questionParts, ...steps.flat()].map(({ message }) => message)
  return { messages, shortened: outcome.shortened, dropped: outcome.dropped }
}

/** Returns the number of messages before the user's next message. */
function firstTurn(messages: MeasuredMessage[]): number {
  const next = messages.findIndex(({ message }, i) => i > 0 && message.role === 'user')
  return next < 0 ? messages.length : next
}

interface MeasuredMessage {
  message: ModelMessage
  size: number
}

/** The approximate number of tokens of an image. */
const IMAGE_TOKENS = 1_600

function measure(message: ModelMessage): MeasuredMessage {
  const parts = typeof message.content === 'string' ? [] : message.content
  const images = parts.filter(({ type }) => type === 'image').length
  const text = images > 0 ? parts.filter(({ type }) => type !== 'image') : message.content
  return { message, size: estimateTokens(JSON.stringify(text)) + images * IMAGE_TOKENS + 4 }
}

const sumSizes = (messages: MeasuredMessage[]): number => messages.reduce((sum, { size }) => sum + size, 0)

/** Adds a note to the message that tells the model about omitted steps. */
function noteOmission({ message, size }: MeasuredMessage, steps: number): MeasuredMessage {
  if (steps === 0 || message.role !== 'user' || typeof message.content !== 'string') return { message, size }
  const content = `${message.content}\n\n[… first steps, left out to make room: ${steps}]`
  return { message: { ...message, content }, size }
}

type ToolMessage = Extract<ModelMessage, { role: 'tool' }>

function shortenResults(message: ToolMessage): ToolMessage {
  return {
    ...message,
    content: message.content.map(part => {
      if (part.type !== 'tool-result') return part
      const { output } = part
      const text =
        'value' in output ? (typeof output.value === 'string' ? output.value : JSON.stringify(output.value)) : ''
      if (text.length <= MAX_RESULT_CHARS) return part
      const note = `[… ${text.length - MAX_RESULT_CHARS} more characters were left out to make room]`
      const value = shortenMarked(text, MAX_RESULT_CHARS, note)
      return { ...part, output: { type: 'text' as const, value } }
    }),
  }
}
