import type { JsonValue } from '../shared/json/json.ts'
import { cut } from '../shared/text/shorten.ts'

const MAX_CHARS = 4_000

/** Returns the value for display. If its JSON has more than 4,000 characters, returns the beginning of the JSON. */
export function truncateValue(value: JsonValue): JsonValue {
  const text = JSON.stringify(value)
  return text.length <= MAX_CHARS ? value : `${cut(text, MAX_CHARS)}…`
}
