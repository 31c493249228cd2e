import type { JsonValue } from '../../json.ts'

/** Whether a value is at most about so long as JSON. Looks no further once it is not. */
export function fits(value: JsonValue, characters: number): boolean {
  let left = characters
  const count = (part: JsonValue): void => {
    left -= typeof part === 'string' ? part.length + 2 : 2
    if (typeof part !== 'object' || part === null) return
    for (const key of Array.isArray(part) ? part.keys() : Object.keys(part)) {
      if (left < 0) return
      left -= String(key).length + 2
      count((part as Record<string | number, JsonValue>)[key] ?? null)
    }
  }
  count(value)
  return left >= 0
}
