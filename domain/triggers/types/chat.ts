import { z } from 'zod'
import { reference } from '../../resources/fields.ts'
import { defineTriggerType } from '../type.ts'

const MAX_PHRASES = 50
const MENTION = /^@?[\p{L}\p{N}][\p{L}\p{N}._-]{0,99}$/u
/** The same for languages that don't know letters and digits of all scripts. It also matches symbols outside of ASCII. */
const MENTION_IN_SCHEMAS = String.raw`^@?[^\x00-/:-@\[-\x60{-\x7f][^\x00-,/:-@\[-^\x60{-\x7f]{0,99}$`
const phrase = z.string().trim().min(1).max(200)

const settings = z.strictObject({
  /** A receptor, by id or slug: only messages to it. */
  receptor: reference.optional(),
  /** A thread: only its messages. */
  trace_id: z.uuid().optional(),
  /** Words that a message contains in this order, regardless of case. */
  phrases: z.array(phrase).max(MAX_PHRASES).default([]),
  /** Names that a message mentions as `@name`. */
  mentions: z
    .array(z.string().regex(MENTION, 'must be a name such as billing').meta({ pattern: MENTION_IN_SCHEMAS }))
    .max(MAX_PHRASES)
    .default([]),
  /** A neuron, which decides: a message fires if its answer is `yes`. It sees what phrases and mentions let through. */
  router: z.strictObject({ neuron: reference }).optional(),
})

export type ChatSettings = z.output<typeof settings>

/** Fires when a message of a thread matches. */
export const chat = defineTriggerType({
  settings,
  isRequired: true,
  problems: ({ phrases, mentions, router }) =>
    phrases.length + mentions.length === 0 && router === undefined
      ? [{ pointer: '', message: 'must have phrases, mentions or a router' }]
      : [],
  event: {
    message: 'The text of the message',
    matched: 'The phrase or mention that it contains; absent where only the router decided',
    trace_id: 'The thread',
    turn: 'The number of its turn in the thread',
    job_id: 'The run that answers it',
    receptor_id: 'The receptor that it was sent to, if any',
    by: 'Who sent it, such as user:ann',
  },
  defaultInput: { message: '${event.message}' },
})

/** Returns the first phrase or mention that the text contains; undefined for none. */
export function findMatch({ phrases, mentions }: Pick<ChatSettings, 'phrases' | 'mentions'>, text: string) {
  const words = normalize(text)
  return (
    phrases.find(phrase => containsWords(words, normalize(phrase))) ??
    mentions.find(name => containsWords(words, normalize(name.startsWith('@') ? name : `@${name}`)))
  )
}

const normalize = (text: string) => text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim()

/** Whether the text contains the words, and not only as a part of longer ones. */
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
