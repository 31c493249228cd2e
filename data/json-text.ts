import type { JsonValue } from '../domain/json.ts'

/** Matches escapes that Postgres cannot store as text: U+0000, and unpaired surrogates (paired ones are unescaped). */
const UNSTORABLE = /(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/g

/**
 * Returns JSON text that Postgres accepts, with U+FFFD in place of characters it cannot store. It serves data of runs,
 * which comes from outside and must not stop the run.
 */
export function toStorableJson(value: unknown): string {
  return JSON.stringify(value).replace(UNSTORABLE, '$1\\ufffd')
}

/** Replaces U+0000 in plain text by U+FFFD. The encoder replaces unpaired surrogates. */
export const toStorableText = (text: string): string => text.replaceAll('\u0000', '\ufffd')

/** Returns JSON text for a `json` column, which stores any JSON unchanged. Undefined becomes null. */
export const toJsonOrNull = (value: JsonValue | undefined): string | null =>
  value === undefined || value === null ? null : JSON.stringify(value)
