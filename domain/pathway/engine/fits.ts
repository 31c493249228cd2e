import type { JsonValue } from '../../json.ts'

/** About how long a value is as JSON, in characters; looks no further once it is longer than `most`. */
export function measure(value: JsonValue, most: number): number {
  let length = 0
  const count = (part: JsonValue): void => {
    length += typeof part === 'string' ? part.length + 2 : 2
    if (typeof part !== 'object' || part === null) return
    for (const key of Array.isArray(part) ? part.keys() : Object.keys(part)) {
      if (length > most) return
      length += String(key).length + 2
      count((part as Record<string | number, JsonValue>)[key] ?? null)
    }
  }
  count(value)
  return length
}

/** Whether a value is at most about so long as JSON. */
export const fits = (value: JsonValue, characters: number): boolean => measure(value, characters) <= characters
