import type { JsonSchema, JsonValue } from '../json/json.ts'
import { unescapePointer } from '../json/json-pointer.ts'

/** Returns the part of the schema that a local reference names, or undefined if there is none. */
export function resolveReference(root: JsonSchema, ref: string): JsonValue | undefined {
  const pointer = parseReference(ref)
  return pointer === undefined ? undefined : readPointer(root, pointer)
}

/** Returns the value at a JSON pointer, or undefined if there is none. */
export function readPointer(root: JsonSchema, pointer: string): JsonValue | undefined {
  const steps = pointer.split('/').slice(1)
  return steps.reduce<JsonValue | undefined>((part, step) => {
    const key = unescapePointer(step)
    if (typeof part !== 'object' || part === null) return undefined
    return Object.hasOwn(part, key) ? (part as { [key: string]: JsonValue })[key] : undefined
  }, root)
}

/** Returns the JSON pointer of a reference that is `#` or has a pointer as its fragment, otherwise undefined. */
export function parseReference(ref: string): string | undefined {
  if (ref !== '#' && !ref.startsWith('#/')) return undefined
  try {
    return decodeURIComponent(ref.slice(1))
  } catch {
    return undefined
  }
}
