import { z } from 'zod'
import { reference } from '../../resources/fields.ts'
import { defineTriggerType } from '../type.ts'

const MAX_PHRASES = 50
const MENTION = /^@?[\p{L}\p{N}][\p{L}\p{N}._-]{0,99}$/u
/** The same pattern for regex dialects without Unicode letters and digits. It also matches non-ASCII symbols. */
const MENTION_IN_SCHEMAS = String.raw`^@?[^\x00-/:-@\[-\x60{-\x7f][^\x00-,/:-@\[-^\x60{-\x7f]{0,99}$`
const phrase = z.string().trim().min(1).max(200)

const settings = z.strictObject({
  /** Id or slug of a gateway. Limits the trigger to messages sent to this gateway. */
  receptor: reference.optional(),
  /** Thread id. Limits the trigger to messages in this thread. */
  trace_id: z.uuid().optional(),
  /** Words that a message must contain in this order, ignoring case. */
  phrases: z.array(phrase).max(MAX_PHRASES).default([]),
  /** Names that a message mentions as `@name`. */
  mentions: z
    .array(z.string().regex(MENTION, 'must be a name such as billing').meta({ pattern: MENTION_IN_SCHEMAS }))
    .max(MAX_PHRASES)
    .default([]),
  /**
   * An agent that decides: a message fires if the agent answers `yes`. It only sees messages that match the phrases
   * and mentions.
   */
  router: z.strictObject({ neuron: reference }).optional(),
})

export type ChatSettings = z.output<typeof settings>

/** Fires if a message in a thread matches. */
export const chat = defineTriggerType({
  settings,
  isRequired: true,
  problems: ({ phrases, mentions, router }) =>
    phrases.length + mentions.length === 0 && router === undefined
      ? [{ pointer: '', message: 'must have phrases, mentions or a router' }]
      : [],
  event: {
    message: 'The text of the message',
    matched: 'The matching phrase or mention. Absent if only the router decided',
    trace_id: 'The thread',
    turn: "The number of the message's turn in the thread",
    job_id: 'The run that answers the message',
    receptor_id: 'The gateway (receptor) that received the message, if any',
    by: 'The sender, such as user:ann',
  },
  defaultInput: { message: '${event.message}' },
})

/** Returns the first phrase or mention that the text contains, or undefined. */
export function findMatch({ phrases, mentions }: Pick<ChatSettings, 'phrases' | 'mentions'>, text: string) {
  const words = normalize(text)
  return (
    phrases.find(phrase => containsWords(words, normalize(phrase))) ??
    mentions.find(name => containsWords(words, normalize(name.startsWith('@') ? name : `@${name}`)))
  )
}

const normalize = (text: string) => text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim()

/** Returns whether the text contains the words as whole words. */
function containsWords(text: string, words: string): boolean {
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    const end = at + words.length
    const beginsInside = isWordPart(text[at - 1]) && (isWordPart(words[0]) || words.startsWith('@'))
    const endsInside = isWordPart(words.at(-1)) && isWordPart(text[end])
    if (!beginsInside && !endsInside) return true
  }
  return false
}

const isWordPart = (char: string | undefined) => char !== undefined && /[\p{L}\p{N}_]/u.test(char)
