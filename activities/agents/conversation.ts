import type { AssistantModelMessage, ModelMessage, ToolModelMessage, UserModelMessage } from 'ai'
import type { FileRef } from '../../domain/documents/files.ts'
import type { Labels } from '../../domain/pathways/labels/labels.ts'
import { markAsData } from '../../domain/pathways/labels/marked-data.ts'
import type { AssistantContent, ToolContent, TraceMessage, UserContent } from '../../domain/agents/messages.ts'
import type { FileContent } from '../documents/message-files.ts'

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
  return arrange(marked, turn, message => buildUserMessage(message, marks))
}

/** How untrusted content is marked. Content that has the run's own labels is the run's request and is not marked. */
interface Marks {
  boundary: string
  ownLabels?: Labels
  /** The contents of the files, by id. */
  files?: Map<string, FileContent>
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

type BuildUserMessage = (content: UserContent) => UserModelMessage

/** Adds the files to the message: texts as data, images as images. */
export function buildUserMessage(
  { text, files: refs = [] }: UserContent,
  { boundary, files }: Marks,
): UserModelMessage {
  if (refs.length === 0) return { role: 'user', content: text }
  const contents = refs.map(ref => ({ ref, content: files?.get(ref.id) }))
  const texts = [text, ...contents.map(({ ref, content }) => describeFile(ref, content, boundary))].join('\n\n')
  const images = contents.flatMap(({ content }) =>
    content?.type === 'image' ? [{ type: 'image' as const, image: content.bytes, mediaType: content.media_type }] : [],
  )
  return { role: 'user', content: images.length > 0 ? [{ type: 'text', text: texts }, ...images] : texts }
}

function describeFile(
  { id, file_name, media_type }: FileRef,
  content: FileContent | undefined,
  boundary: string,
): string {
  const head = `File ${JSON.stringify(file_name)} (${media_type}, id ${id})`
  if (content?.type === 'image') return `${head}: attached as an image.`
  if (content?.type !== 'text') return `${head}: no content, because ${content?.reason ?? 'the file was deleted'}.`
  const rest = content.next_offset === undefined ? '' : `\nThe text continues at the offset ${content.next_offset}.`
  return `${head}:\n${markAsData(content.text, boundary)}${rest}`
}

function arrange(messages: TraceMessage[], turn: number, buildUser: BuildUserMessage): Conversation {
  const past = messages
    .filter(message => message.turn < turn)
    .flatMap(message => buildPlainMessages(message, buildUser))
  const begun = past.findIndex(({ role }) => role === 'user')
  const current = messages.filter(message => message.turn === turn)
  const questionIndex = Math.max(0, current.findLastIndex(isQuestion))
  return {
    earlier: [
      ...(begun < 0 ? [] : past.slice(begun)),
      ...buildFullMessages(current.slice(0, questionIndex), buildUser),
    ],
    question: buildFullMessages(current.slice(questionIndex, questionIndex + 1), buildUser),
    steps: splitSteps(current.slice(questionIndex + 1)).map(step => buildFullMessages(step, buildUser)),
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

function buildPlainMessages({ role, content }: TraceMessage, buildUser: BuildUserMessage): ModelMessage[] {
  if (role === 'tool' || content.text.trim() === '' || isRepair(content)) return []
  return role === 'user' ? [buildUser(content)] : [{ role, content: content.text }]
}

/** Returns true for a rejected answer and for the note that explains the rejection. */
const isRepair = (content: TraceMessage['content']): boolean =>
  'note' in content || ('decision' in content && content.decision?.finish === 'invalid')

function buildFullMessages(messages: TraceMessage[], buildUser: BuildUserMessage): ModelMessage[] {
  return messages.flatMap((message, i): ModelMessage[] => {
    if (message.role === 'user') return [buildUser(message.content)]
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
