import type { JsonValue } from './json.ts'

/** Returns whether Postgres can store the text. */
export const isStorable = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed()

/** Returns whether Postgres can store all texts of a JSON value, including its keys. */
export function isDeeplyStorable(value: unknown): boolean {
  if (typeof value === 'string') return isStorable(value)
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([key, inner]) => isStorable(key) && isDeeplyStorable(inner))
}

export const UNSTORABLE = 'must not contain U+0000 or an unpaired surrogate'

/**
 * Replaces U+0000 and unpaired surrogates with U+FFFD, because Postgres can store neither, and UTF-8 has no unpaired
 * surrogates. Returns other text unchanged.
 */
export const toStorableText = (text: string): string => text.replaceAll('\0', '\ufffd').toWellFormed()

/**
 * Matches escapes that Postgres cannot store as text: U+0000 and unpaired surrogates. Paired surrogates are
 * unescaped.
 */
const UNSTORABLE_ESCAPES = /(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/g

/**
 * Returns JSON text that Postgres and every reader accept, with U+FFFD instead of unstorable characters. Used for run
 * data, which comes from other systems and must not stop the run.
 */
export const toStorableJson = (value: unknown): string => replaceUnstorable(JSON.stringify(value))

const replaceUnstorable = (json: string): string =>
  json.includes('\\u') ? json.replace(UNSTORABLE_ESCAPES, '$1\\ufffd') : json

/** Returns a value with U+FFFD instead of unstorable characters. Returns storable values unchanged. */
export function toStorableValue(value: JsonValue): JsonValue {
  const json = JSON.stringify(value)
  const storable = replaceUnstorable(json)
  return storable === json ? value : (JSON.parse(storable) as JsonValue)
}
