import type { JsonValue } from '../../domain/shared/json/json.ts'
import { answer, isAboutItself, noAnswer, quote, summarize } from './answer.ts'
import type { Conversation } from './conversation.ts'
import { type Document, documentsIn } from './text/documents.ts'
import { splitQuestion, userQuestion } from './prompt.ts'

const MAX_ANSWER_CHARS = 2_000
const MAX_TEXT_CHARS = 20_000
const MAX_REASON_CHARS = 300

/**
 * Quotes the tool results that answer the question, with their sources. If there are none, quotes the user's message.
 */
export function writeUp(question: string, talk: Conversation): string {
  return (fromDocuments(question, documentsIn(talk.results)) ?? fromMessage(question, talk)).slice(0, MAX_TEXT_CHARS)
}

/** Quotes or summarizes documents. A short text is returned unchanged. Returns undefined if there is no text. */
export function fromDocuments(question: string, documents: Document[]): string | undefined {
  const context = documents.map(({ text }) => text).join('\n\n')
  const quoted = quote({ question, context }) ?? summarize({ question, context })
  if (!quoted) return context.trim().slice(0, MAX_ANSWER_CHARS) || undefined
  const titles = documents.filter(({ text }) => quoted.passages.some(passage => has(text, passage)))
  const sources = [...new Set(titles.flatMap(({ title }) => title ?? []))]
  return sources.length > 0 ? `${quoted.text}\n\nSources: ${sources.join('; ')}` : quoted.text
}

/** Returns the final answer after all tool calls. */
export function conclude({ message, results }: Conversation): string {
  const question = userQuestion(message)
  const { context } = splitQuestion('', message)
  const passage = fromDocuments(question, [...documentsIn(results), { text: context }])
  if (passage !== undefined) return isAboutItself(question) ? answer({ question, context }) : passage
  const failed = results
    .filter(result => result.failed)
    .map(({ tool, output }) => `${tool}: ${describeFailure(output)}`)
  return failed.length > 0 ? `No tool gave an answer. ${failed.join('; ')}` : noAnswer()
}

const describeFailure = (output: JsonValue): string =>
  (typeof output === 'string' ? output : JSON.stringify(output)).slice(0, MAX_REASON_CHARS)

/** Compares texts with normalized whitespace, as passages have it. */
const has = (text: string, passage: string): boolean => even(text).includes(even(passage))
const even = (text: string): string => text.replaceAll(/\s+/g, ' ')

function fromMessage(question: string, { instructions, userText, message }: Conversation): string {
  const { context } = splitQuestion(instructions, userText)
  return (quote({ question, context })?.text ?? message.trim()).slice(0, MAX_ANSWER_CHARS)
}
