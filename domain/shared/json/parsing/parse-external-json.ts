import type { JsonValue } from '../json.ts'
import { isStorable, toStorableText } from '../storable.ts'
import { isExactNumber, mayHaveInexactNumbers } from './exact-numbers.ts'

/** Matches escapes of U+0000 and surrogates, paired ones included. */
const SPECIAL_ESCAPE = /\\u(?:0000|d[89a-f])/i

/**
 * Parses JSON of another server or a model, whose effect has happened and which cannot be asked to send it differently. A number
 * that would change becomes its exact text, and text that cannot be stored has U+FFFD in its place. Throws SyntaxError.
 */
export function parseExternalJson(text: string): JsonValue {
  if (!mayHaveInexactNumbers(text) && !SPECIAL_ESCAPE.test(text) && text.isWellFormed()) return JSON.parse(text)
  return JSON.parse(text, (_key, value: JsonValue, { source = '' }: { source?: string } = {}) =>
    typeof value === 'number' ? keepNumber(value, source) : repair(value),
  )
}

const keepNumber = (value: number, source: string): JsonValue => (isExactNumber(value, source) ? value : source)

/** Makes a text storable, or the keys of an object. */
function repair(value: JsonValue): JsonValue {
  if (typeof value === 'string') return toStorableText(value)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  if (Object.keys(value).every(isStorable)) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [toStorableText(key), part]))
}
