import type { ModelMessage } from 'ai'
import { approximateTokens } from '../../domain/chunking/approximate-tokens.ts'

/** What was left out so that the rest fits. */
export interface Compacted {
  messages: ModelMessage[]
  shortened: number
  dropped: number
}

/** Of a result that is shortened, in characters. */
const KEPT_OF_A_RESULT = 1_000
/** The results of the last steps stay whole as long as anything else can go. */
const RECENT = 2

/**
 * Makes a conversation fit. First the results of calls are shortened, the oldest first, then the oldest messages before
 * the last user message are dropped, always up to one of the user's: providers want a conversation to begin with that,
 * and no result without its call. Results of the last steps go last. Undefined when even that is too long.
 * @param tokens how many the messages may have
 */
export function compact(messages: ModelMessage[], tokens: number): Compacted | undefined {
  let left = messages.map(message => ({ message, size: sizeOf(message) }))
  let total = left.reduce((sum, { size }) => sum + size, 0)
  const done = { shortened: 0, dropped: 0 }
  const shorten = (from: number, to: number) => {
    left = left.map((entry, i) => {
      if (total <= tokens || i < from || i >= to || entry.message.role !== 'tool') return entry
      const message = shortened(entry.message)
      const size = sizeOf(message)
      if (size < entry.size) done.shortened++
      total -= entry.size - size
      return { message, size }
    })
  }
  const results = left.flatMap(({ message }, i) => (message.role === 'tool' ? [i] : []))
  const recent = results.at(-RECENT) ?? left.length
  shorten(0, recent)
  while (total > tokens) {
    const next = left.findIndex(({ message }, i) => i > 0 && message.role === 'user')
    if (next < 0) break
    total -= left.slice(0, next).reduce((sum, { size }) => sum + size, 0)
    left = left.slice(next)
    done.dropped += next
  }
  shorten(0, left.length)
  return total <= tokens ? { messages: left.map(({ message }) => message), ...done } : undefined
}

const sizeOf = (message: ModelMessage): number => approximateTokens(JSON.stringify(message.content)) + 4

type ToolMessage = Extract<ModelMessage, { role: 'tool' }>

function shortened(message: ToolMessage): ToolMessage {
  return {
    ...message,
    content: message.content.map(part => {
      if (part.type !== 'tool-result') return part
      const { output } = part
      const text =
        'value' in output ? (typeof output.value === 'string' ? output.value : JSON.stringify(output.value)) : ''
      if (text.length <= KEPT_OF_A_RESULT) return part
      const value = `${text.slice(0, KEPT_OF_A_RESULT)}\n[… ${text.length - KEPT_OF_A_RESULT} more characters were left out to make room]`
      return { ...part, output: { type: 'text' as const, value } }
    }),
  }
}
