import type { LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import type { JsonObject, JsonValue } from '../../domain/shared/json/json.ts'
import { toSlug } from '../../domain/shared/text/slug.ts'
import { cleanTitle } from '../../domain/shared/text/title.ts'
import { writeUp } from './write-up.ts'
import { snake } from './text/concepts.ts'
import type { Conversation } from './conversation.ts'
import { documentsIn } from './text/documents.ts'
import { empty, fill, findMissing, resolve } from './fields/fill.ts'
import { type CallContext, questionTo, quotedAfter } from './request.ts'
import { userQuestion } from './prompt.ts'
import { createSource, type Source } from './text/source.ts'
import { numberInSentence } from './text/sentences.ts'
import { asksPeople } from './tool-choice.ts'

type Schema = JsonObject

/** The sources from which arguments are filled, prepared once for all arguments. */
interface Material extends CallContext {
  question: string
  /** The instructions and the user's messages. */
  promptSource: Source
  /** Tool results. */
  resultSource: Source
}

/**
 * Fills the arguments of a call by rule: question parameters get the question, text parameters get an answer, and all
 * other parameters get labeled values. Instructions and user messages take precedence over tool results, which fill
 * only required arguments. Required arguments without a value are omitted and listed in `missing`.
 */
export function fillArguments(
  { name, inputSchema }: Pick<LanguageModelV4FunctionTool, 'name' | 'inputSchema'>,
  offered: string[],
  talk: Conversation,
): { args: JsonObject; missing: string[] } {
  const root = inputSchema as Schema
  const question = userQuestion(talk.message) || userQuestion(talk.instructions)
  const context = (texts: string[]): Source => createSource({ question, context: texts.join('\n\n') })
  const material = {
    tool: name,
    offered,
    talk,
    question,
    promptSource: context([talk.instructions, talk.message]),
    resultSource: context(documentsIn(talk.results).map(({ text }) => text)),
  }
  const { shape } = resolve(root, root)
  const required = Array.isArray(shape.required) ? shape.required : []
  const entries = Object.entries((shape.properties ?? {}) as Record<string, Schema>).flatMap(([key, property]) => {
    const value = required.includes(key)
      ? needed(material, property, root, key)
      : (byName(material, property, root, key) ?? optional(material, property, root, key))
    return value === undefined ? [] : [[key, value] as const]
  })
  const args = Object.fromEntries(entries)
  return { args, missing: findMissing(args, root, root) }
}

function needed(material: Material, property: Schema, root: Schema, key: string): JsonValue | undefined {
  const { shape } = resolve(property, root)
  const named = byName(material, property, root, key)
  if (named !== undefined) return named
  return (
    fill(material.promptSource, property, root, key, 1) ??
    sentenceNumber(material, shape, key) ??
    quotedValue(material, shape) ??
    sameName(material.talk, key, shape) ??
    fill(material.resultSource, property, root, key, 1) ??
    empty(shape)
  )
}

/** Fills an optional argument only from a labeled value, and never guesses one of several options. */
function optional(material: Material, property: Schema, root: Schema, key: string): JsonValue | undefined {
  const { promptSource } = material
  const { shape } = resolve(property, root)
  if (Array.isArray(shape.enum) || shape.type === 'object' || shape.default !== undefined) return undefined
  return fill(promptSource, property, root, key, 1) ?? sentenceNumber(material, shape, key)
}

/**
 * Finds a number in a sentence. Only user messages and instructions are read as sentences, because documents have
 * their own labels.
 */
function sentenceNumber({ talk }: Material, { type, title, enum: options }: Schema, key: string): number | undefined {
  if (Array.isArray(options) || (type !== 'number' && type !== 'integer')) return undefined
  const read = (text: string) => numberInSentence(text, { name: key, title }, type === 'integer')
  return read(talk.message) ?? read(talk.instructions)
}

const QUESTION = /^(?:q|query|question|search|search_query|keywords?)$/
const QUESTION_PARAMETER = /^(?:question|questions|prompt|text|message|title)$/
const TITLE = /^(?:title|subject|heading|headline)$/
const TEXT =
  /^(?:content|text|body|markdown|summary|answer|reply|response|message|note|fact|reason|rationale|quote|excerpt)$/

/** Fills an argument whose name is a common parameter name with a known meaning. */
function byName(material: Material, property: Schema, root: Schema, key: string): JsonValue | undefined {
  const { tool, talk, question } = material
  const { shape } = resolve(property, root)
  const name = snake(key)
  if (asksPeople(tool) && QUESTION_PARAMETER.test(name))
    return buildQuestionArgument(questionTo(material, question), shape, root)
  if (shape.type !== 'string' || Array.isArray(shape.enum) || shape.const !== undefined) return undefined
  if (QUESTION.test(name)) return quotedAfter(material) ?? question
  if (TITLE.test(name)) return buildTitle(question)
  if (name === 'slug') return toSlug(buildTitle(question)) || undefined
  if (/^(?:url|uri|link)$/.test(name)) return firstUrl([talk.message, talk.instructions])
  if (/^(?:expression|formula)$/.test(name))
    return quotedAfter(material) ?? arithmetic([talk.message, talk.instructions])
  return TEXT.test(name) ? (quotedAfter(material) ?? writeUp(question, talk)) : undefined
}

/** Returns the question in the form that the schema requires: a text, or a list of texts or of objects with a text. */
function buildQuestionArgument(text: string, shape: Schema, root: Schema): JsonValue | undefined {
  if (shape.type === 'string') return text
  if (shape.type === 'array') {
    const item = resolve((shape.items ?? { type: 'string' }) as Schema, root).shape
    return [buildQuestionArgument(text, item, root) ?? text]
  }
  if (shape.type !== 'object') return undefined
  const required = Array.isArray(shape.required) ? shape.required : []
  const entries = Object.entries((shape.properties ?? {}) as Record<string, Schema>).flatMap(([key, property]) => {
    if (QUESTION_PARAMETER.test(snake(key))) return [[key, text] as const]
    if (!required.includes(key)) return []
    const inner = resolve(property, root).shape
    const value = /^(?:id|key|name)$/.test(snake(key)) ? 'q1' : empty(inner)
    return value === undefined ? [] : [[key, value] as const]
  })
  return Object.fromEntries(entries)
}

/**
 * Returns the value of a field with the same name in a tool result, such as the `resource_id` or `id` from a search.
 */
function sameName({ results }: Conversation, key: string, shape: Schema): JsonValue | undefined {
  const names = new Set([snake(key), ...(/(?:^|_)id$/.test(snake(key)) ? ['resource_id', 'id'] : [])])
  let stepsLeft = 20_000
  function look(value: JsonValue): JsonValue | undefined {
    if (stepsLeft-- <= 0 || typeof value !== 'object' || value === null) return undefined
    for (const [name, item] of Object.entries(value))
      if (!Array.isArray(value) && names.has(snake(name)) && fits(item, shape)) return item
    for (const item of Object.values(value)) {
      const match = look(item)
      if (match !== undefined) return match
    }
    return undefined
  }
  for (const { output, failed } of results.toReversed()) {
    const match = failed ? undefined : look(output)
    if (match !== undefined) return match
  }
  return undefined
}

function fits(value: JsonValue, { type }: Schema): boolean {
  if (type === 'integer') return Number.isInteger(value)
  return type === 'string' || type === 'number' || type === 'boolean' ? typeof value === type : false
}

const quotedValue = (calling: CallContext, { type, enum: options }: Schema): string | undefined =>
  type === 'string' && !Array.isArray(options) ? quotedAfter(calling) : undefined

const MAX_TITLE_CHARS = 60

/** Returns the question without its question mark, shortened at a word boundary. */
function buildTitle(question: string): string {
  const plain = question.replace(/\s+/g, ' ').replace(/[\s?!.:]+$/, '')
  const cut = plain.length > MAX_TITLE_CHARS ? plain.slice(0, MAX_TITLE_CHARS + 1).replace(/\s\S*$/, '') : plain
  return cleanTitle(cut, MAX_TITLE_CHARS).replace(/^\p{Ll}/u, first => first.toUpperCase()) || 'Untitled'
}

const firstUrl = (texts: string[]): string | undefined =>
  texts.map(text => /https?:\/\/[^\s"'<>)\]]+/i.exec(text)?.[0].replace(/[.,;:!?]+$/, '')).find(Boolean)

const arithmetic = (texts: string[]): string | undefined =>
  texts
    .map(text => /(?<![\w.])[(-]{0,5}\d[\d.]{0,30}(?:\s{0,3}[-+*/%()]\s{0,3}[\d.()]{1,30}){1,50}/.exec(text)?.[0])
    .find(Boolean)
