import type { AssistantModelMessage, ModelMessage, ToolModelMessage } from 'ai'
import type { Labels } from '../../domain/pathways/labels/labels.ts'
import { markAsData } from '../../domain/pathways/labels/marked-data.ts'
import type { AssistantContent, ToolContent, TraceMessage } from '../../domain/agents/messages.ts'

type MessageOfRole<Role extends TraceMessage['role']> = Extract<TraceMessage, { role: Role }>
type ResultPart = Extract<ToolModelMessage['content'][number], { type: 'tool-result' }>

const NO_REPLY = 'There is no result: the call was never finished.'

/** A thread as messages for a model, in order. */
export interface Conversation {
  /** Messages before the question. */
  earlier: ModelMessage[]
  /** The message to answer. */
  question: ModelMessage[]
  /**
   * The steps since the question. Each step has the model's answer, the results of its calls, and the reason if it
   * was rejected.
   */
  steps: ModelMessage[][]
}

/**
 * Builds a turn's conversation: the accepted texts from earlier turns, and all messages from this turn with calls and
 * results in the provider's own format. As providers require, the conversation starts with a user message and every
 * call has a result.
 */
export function buildConversation(messages: TraceMessage[], turn: number, marks: Marks): Conversation {
  const marked = messages.map(message => markUntrusted(message, marks))
  return arrange(marked, turn)
}

/** How untrusted content is marked. Content that has the run's own labels is the run's request and is not marked. */
interface Marks {
  boundary: string
  ownLabels?: Labels
}

/** Marks content from other people and from tools as data. */
function markUntrusted(message: TraceMessage, { boundary, ownLabels = [] }: Marks): TraceMessage {
  const { labels = [] } = message.content
  if (message.role === 'assistant' || labels.every(label => message.role === 'user' && ownLabels.includes(label)))
    return message
  if (message.role === 'user')
    return { ...message, content: { ...message.content, text: markAsData(message.content.text, boundary) } }
  const { output } = message.content
  const text = typeof output === 'string' ? output : JSON.stringify(output)
  return { ...message, content: { ...message.content, output: markAsData(text, boundary) } }
}

function arrange(messages: TraceMessage[], turn: number): Conversation {
  const past = messages.filter(message => message.turn < turn).flatMap(buildPlainMessages)
  const begun = past.findIndex(({ role }) => role === 'user')
  const current = messages.filter(message => message.turn === turn)
  const questionIndex = Math.max(0, current.findLastIndex(isQuestion))
  return {
    earlier: [...(begun < 0 ? [] : past.slice(begun)), ...buildFullMessages(current.slice(0, questionIndex))],
    question: buildFullMessages(current.slice(questionIndex, questionIndex + 1)),
    steps: splitSteps(current.slice(questionIndex + 1)).map(buildFullMessages),
  }
}

export const flattenConversation = ({ earlier, question, steps }: Conversation): ModelMessage[] => [
  ...earlier,
  ...question,
  ...steps.flat(),
]

const isQuestion = ({ role, content }: TraceMessage): boolean => role === 'user' && !isRepair(content)

function splitSteps(messages: TraceMessage[]): TraceMessage[][] {
  const begins = messages.flatMap(({ role }, i) => (role === 'assistant' ? [i] : []))
  return begins.map((from, n) => messages.slice(from, begins[n + 1]))
}

function buildPlainMessages({ role, content }: TraceMessage): ModelMessage[] {
  if (role === 'tool' || content.text.trim() === '' || isRepair(content)) return []
  return [{ role, content: content.text }]
}

/** Returns true for a rejected answer and for the note that explains the rejection. */
const isRepair = (content: TraceMessage['content']): boolean =>
  'note' in content || ('decision' in content && content.decision?.finish === 'invalid')

function buildFullMessages(messages: TraceMessage[]): ModelMessage[] {
  return messages.flatMap((message, i): ModelMessage[] => {
    if (message.role === 'user') return [{ role: 'user', content: message.content.text }]
    if (message.role === 'tool') return []
    const { calls = [] } = message.content
    const until = messages.findIndex((other, at) => at > i && other.role !== 'tool')
    const replies = messages.slice(i + 1, until < 0 ? undefined : until).filter(isReply)
    return [...toAssistantMessages(message.content), ...buildReplies(calls, replies)]
  })
}

const isReply = (message: TraceMessage): message is MessageOfRole<'tool'> => message.role === 'tool'

function toAssistantMessages({ text, calls = [], raw }: AssistantContent): AssistantModelMessage[] {
  if (raw) return raw as unknown as AssistantModelMessage[]
  const parts = calls.map(({ id, name, args }) => ({
    type: 'tool-call' as const,
    toolCallId: id,
    toolName: name,
    input: args,
  }))
  return [{ role: 'assistant', content: text ? [{ type: 'text', text }, ...parts] : parts }]
}

function buildReplies(calls: NonNullable<AssistantContent['calls']>, replies: MessageOfRole<'tool'>[]): ModelMessage[] {
  if (calls.length === 0) return []
  const results = calls.map(({ id, name }): ResultPart => {
    const reply = replies.find(({ content }) => content.call_id === id)
    const output: ResultPart['output'] = reply ? toToolOutput(reply.content) : { type: 'error-text', value: NO_REPLY }
    return { type: 'tool-result', toolCallId: id, toolName: name, output }
  })
  return [{ role: 'tool', content: results }]
}

function toToolOutput({ output, is_error }: ToolContent): ResultPart['output'] {
  if (typeof output === 'string') return { type: is_error ? 'error-text' : 'text', value: output }
  return { type: is_error ? 'error-json' : 'json', value: output }
}
