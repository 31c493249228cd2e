import type { JsonValue } from '../domain/json.ts'

/** Escapes of what Postgres cannot hold as text: U+0000, and half a surrogate pair (only those are written escaped). */
const UNSTORABLE = /(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/g

/**
 * JSON text of a value that Postgres is sure to take, with what it cannot hold replaced by U+FFFD. For news of a run:
 * they come from the outside world, and refusing them would stop the run.
 */
export function toStorableJson(value: unknown): string {
  return JSON.stringify(value).replace(UNSTORABLE, '$1\\ufffd')
}

/** The same for plain text; half a surrogate pair is replaced by the encoder itself. */
export const toStorableText = (text: string): string => text.replaceAll('\u0000', '\ufffd')

/** JSON text for a `json` column, which holds any JSON as it came; nothing is null. */
export const toJsonOrNull = (value: JsonValue | undefined): string | null =>
  value === undefined || value === null ? null : JSON.stringify(value)
