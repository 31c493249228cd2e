import type { JsonValue } from './json.ts'

/** Whether Postgres can store the text. */
export const isStorable = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed()

/** Whether Postgres can store all texts of a JSON value, its keys included. */
export function isDeeplyStorable(value: unknown): boolean {
  if (typeof value === 'string') return isStorable(value)
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([key, inner]) => isStorable(key) && isDeeplyStorable(inner))
}

export const UNSTORABLE = 'must not contain U+0000 or an unpaired surrogate'

/**
 * Replaces U+0000 and unpaired surrogates by U+FFFD: Postgres stores neither, and UTF-8 has no unpaired surrogates. Returns
 * other text unchanged.
 */
export const toStorableText = (text: string): string => text.replaceAll('\0', '\ufffd').toWellFormed()

/** Matches escapes that Postgres cannot store as text: U+0000, and unpaired surrogates (paired ones are unescaped). */
const UNSTORABLE_ESCAPES = /(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/g

/**
 * Returns JSON text that Postgres accepts and that every reader takes, with U+FFFD in place of characters that it cannot hold.
 * It serves data of runs, which comes from outside and must not stop the run.
 */
export const toStorableJson = (value: unknown): string => replaceUnstorable(JSON.stringify(value))

const replaceUnstorable = (json: string): string =>
  json.includes('\\u') ? json.replace(UNSTORABLE_ESCAPES, '$1\\ufffd') : json

/** Returns a value with U+FFFD in place of such characters, and a storable value unchanged. */
export function toStorableValue(value: JsonValue): JsonValue {
  const json = JSON.stringify(value)
  const storable = replaceUnstorable(json)
  return storable === json ? value : (JSON.parse(storable) as JsonValue)
}
