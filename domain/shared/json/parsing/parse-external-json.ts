import type { JsonValue } from '../json.ts'
import { isStorable, toStorableText } from '../storable.ts'
import { isExactNumber, mayHaveInexactNumbers } from './exact-numbers.ts'

/** Matches escapes of U+0000 and of surrogates, including paired ones. */
const SPECIAL_ESCAPE = /\\u(?:0000|d[89a-f])/i

/**
 * Parses JSON from another server or a model that cannot be asked to send it again. Numbers that parsing would change
 * become strings with their exact text. Characters that cannot be stored become U+FFFD. Throws SyntaxError.
 */
export function parseExternalJson(text: string): JsonValue {
  if (!mayHaveInexactNumbers(text) && !SPECIAL_ESCAPE.test(text) && text.isWellFormed()) return JSON.parse(text)
  return JSON.parse(text, (_key, value: JsonValue, { source = '' }: { source?: string } = {}) =>
    typeof value === 'number' ? keepNumber(value, source) : repair(value),
  )
}

const keepNumber = (value: number, source: string): JsonValue => (isExactNumber(value, source) ? value : source)

/** Makes a text, or the keys of an object, storable. */
function repair(value: JsonValue): JsonValue {
  if (typeof value === 'string') return toStorableText(value)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  if (Object.keys(value).every(isStorable)) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [toStorableText(key), part]))
}
