import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import { unmark } from '../../domain/pathways/labels/marked-data.ts'
import { paragraphs } from './text/passages.ts'
import { countWords } from './text/words.ts'

/** A question, and the text in which to look for the answer. */
export interface Inquiry {
  question: string
  context: string
}

const QUESTION_START =
  /^(?:please\s+)?(?:what|who|whom|whose|when|where|which|why|how|is|are|was|were|do|does|did|can|could|should|will|list|find|give|tell|name|show|say|state|summari[sz]e|explain|describe|extract|read|write|draft|answer|compare|check|decide|identify|classify|look)\b/i
/** Maximum number of characters that are read from each end of a long text. */
const HALF = 100_000
/** Maximum length of a question. A longer paragraph counts as text, even if it starts like a question. */
const MAX_QUESTION_CHARS = 60

export function promptTexts(prompt: LanguageModelV4Prompt): { instructions: string; message: string } {
  const of = (role: 'system' | 'user') =>
    prompt.flatMap(message => (message.role === role ? [joinText(message.content)] : [])).join('\n\n')
  return { instructions: bounded(of('system')), message: bounded(unmark(of('user'))) }
}

/** Shortens a long text to its beginning and end, because these usually contain names and totals. */
export const bounded = (text: string): string =>
  text.length > 2 * HALF ? `${text.slice(0, HALF)}\n\n${text.slice(-HALF)}` : text

export function joinText(content: string | { type: string; text?: string }[]): string {
  return typeof content === 'string' ? content : content.map(part => part.text ?? '').join('\n\n')
}

const MAX_ASKED_CHARS = 300

/** Returns the question in a message as one line. If there is none, returns the last paragraph. */
export const userQuestion = (message: string): string =>
  splitQuestion('', message).question.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_ASKED_CHARS)

/**
 * Splits a message into question and text. If the last paragraph asks something, it is the question. Otherwise the
 * question is the text before the first colon or question mark ("Read this invoice: …"), the first paragraph, or the
 * instructions. A message that consists only of a question is answered from the instructions.
 */
export function splitQuestion(instructions: string, message: string): Inquiry {
  const parts = paragraphs(message)
  const first = parts[0] ?? ''
  const last = parts.at(-1) ?? ''
  if (parts.length > 1 && asks(last)) return { question: last, context: message.slice(0, message.lastIndexOf(last)) }
  const lead = /^\s*([^\n:?]{1,300}[:?])\s+(?=\S)/.exec(message)
  if (lead?.[1] && asks(lead[1])) return { question: lead[1], context: message.slice(lead[0].length) }
  if (parts.length > 1 && asks(first))
    return { question: first, context: message.slice(message.indexOf(first) + first.length) }
  if (parts.length === 1 && (asks(first) || !instructions)) return { question: first, context: instructions }
  return { question: instructions || last, context: message }
}

function asks(paragraph: string): boolean {
  if (paragraph.length > MAX_QUESTION_CHARS * 20) return false
  return countWords(paragraph) <= MAX_QUESTION_CHARS && (/\?\s*$/.test(paragraph) || QUESTION_START.test(paragraph))
}
