import type { JsonValue } from '../shared/json/json.ts'

const MAX_CHARS = 4_000

/** Returns a value for people to read: itself, or the beginning of its JSON if that has more than 4,000 characters. */
export function truncateValue(value: JsonValue): JsonValue {
  const text = JSON.stringify(value)
  return text.length <= MAX_CHARS ? value : `${text.slice(0, MAX_CHARS)}…`
}
