import { isJsonObject, type JsonSchema, type JsonValue, type Problem } from '../shared/json/json.ts'
import { escapePointer } from '../shared/json/json-pointer.ts'
import { resolveReference } from '../shared/schemas/references.ts'
import type { FileRef } from './files.ts'

/** The format of a form field whose value is the id of a file. */
const FILE_FORMAT = 'file'

/** The schema of a file field. */
interface FileField {
  /** Media types, separated by commas, such as `application/pdf, image/*`. Default: all. */
  contentMediaType?: string
  /** Maximum size in bytes. Default: the limit of the service. */
  maxBytes?: number
}

/** The value of a file field in an answer. */
export interface FileValue {
  pointer: string
  id: string
  field: FileField
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
    if (part.format === FILE_FORMAT && typeof current === 'string') {
      const field = { ...valuesByPointer.get(pointer)?.field, ...readField(part) }
      valuesByPointer.set(pointer, { pointer, id: current, field })
    }
  }

  visit(schema, value, at)
  return [...valuesByPointer.values()]
}

const listEntries = (value: JsonValue | undefined): [string, JsonValue][] =>
  isJsonObject(value) ? Object.entries(value) : []

function readField({ contentMediaType, maxBytes }: JsonSchema): FileField {
  return {
    ...(typeof contentMediaType === 'string' && { contentMediaType }),
    ...(typeof maxBytes === 'number' && { maxBytes }),
  }
}

/** Lists the problems with a file in a field: its type and size. */
export function findFileProblems({ pointer, field }: FileValue, { media_type, size }: FileRef): Problem[] {
  const { contentMediaType = '*/*', maxBytes = Infinity } = field
  const types = contentMediaType.split(',').map(type => type.trim().toLowerCase())
  return [
    ...(types.some(type => matchesType(type, media_type))
      ? []
      : [{ pointer, message: `must be a file of the type ${types.join(' or ')}, not ${media_type}` }]),
    ...(size <= maxBytes ? [] : [{ pointer, message: `must be a file of at most ${maxBytes} bytes, not ${size}` }]),
  ]
}

function matchesType(type: string, media_type: string): boolean {
  if (type === '*/*' || type === media_type) return true
  return type.endsWith('/*') && media_type.startsWith(type.slice(0, -1))
}
