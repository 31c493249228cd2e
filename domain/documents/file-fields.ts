import { isJsonObject, type JsonSchema, type JsonValue } from '../shared/json/json.ts'
import { escapePointer } from '../shared/json/json-pointer.ts'
import { resolveReference } from '../shared/schemas/references.ts'

/** The format of a form field whose value is the id of a file. */
const FILE_FORMAT = 'file'

/** The value of a file field in an answer. */
export interface FileValue {
  pointer: string
  id: string
}

/** Keywords whose schemas apply to the same value, and keywords that contain several of them. */
const SAME = ['if', 'then', 'else', 'not'] as const
const LISTS = ['allOf', 'anyOf', 'oneOf'] as const

/**
 * Lists the values of a form's file fields: in properties, items, local references and conditional parts. A field of a
 * part whose condition does not apply counts as well.
 */
export function listFileValues(schema: JsonSchema, value: JsonValue, at: string): FileValue[] {
  const valuesByPointer = new Map<string, FileValue>()
  /** Schemas that were visited, by pointer. References can be circular. */
  const visited = new Map<string, Set<JsonValue>>()
  // Most schemas have no file fields, and values may be large.
  if (!JSON.stringify(schema).includes(`"${FILE_FORMAT}"`)) return []

  function visit(part: JsonValue | undefined, current: JsonValue | undefined, pointer: string): void {
    if (!isJsonObject(part) || current === undefined) return
    const parts = visited.get(pointer) ?? new Set()
    if (parts.has(part)) return
    visited.set(pointer, parts.add(part))
    if (typeof part.$ref === 'string') visit(resolveReference(schema, part.$ref), current, pointer)
    for (const key of SAME) visit(part[key], current, pointer)
    for (const key of LISTS) if (Array.isArray(part[key])) for (const inner of part[key]) visit(inner, current, pointer)
    if (isJsonObject(current)) {
      const { dependentSchemas, properties } = part
      for (const [name, inner] of listEntries(dependentSchemas)) if (name in current) visit(inner, current, pointer)
      for (const [name, inner] of listEntries(properties))
        if (Object.hasOwn(current, name)) visit(inner, current[name], `${pointer}/${escapePointer(name)}`)
    }
    if (Array.isArray(current)) {
      const prefix = Array.isArray(part.prefixItems) ? part.prefixItems : []
      current.forEach((item, i) => visit(prefix[i] ?? part.items, item, `${pointer}/${i}`))
    }
    if (part.format === FILE_FORMAT && typeof current === 'string')
      valuesByPointer.set(pointer, { pointer, id: current })
  }

  visit(schema, value, at)
  return [...valuesByPointer.values()]
}

const listEntries = (value: JsonValue | undefined): [string, JsonValue][] =>
  isJsonObject(value) ? Object.entries(value) : []
