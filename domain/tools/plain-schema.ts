import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from '../json.ts'
import { escapePointer, unescapePointer } from '../json-pointer.ts'

/** Called with what is wrong in the description, by JSON pointer into it. */
export type Report = (pointer: string, message: string) => void

/** Parts of one schema, and of all schemas of a description, with references written out. */
const MAX_PARTS = 800
const MAX_TOTAL_PARTS = 60_000
const MAX_TEXT_CHARS = 1_000
const MAX_VALUES = 500

const SCHEMAS = new Set(['items', 'contains', 'not', 'additionalProperties'])
const LISTS = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems'])
const BOUNDS = new Set(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'])
const COUNTS = new Set(['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'])
const TYPES = new Set(['null', 'boolean', 'object', 'array', 'number', 'string', 'integer'])
const VALUES = new Set(['const', 'default'])
const LINES = new Set(['title', 'format'])

/**
 * Makes schemas of others' descriptions, OpenAPI 3.0 and 3.1 or JSON Schema, into JSON Schemas that stand for themselves
 * and are cheap to check: local references are written out, recursion and what is beyond the bounds takes any value.
 * Patterns and `uniqueItems` are left to the other side.
 */
export class PlainSchemas {
  private readonly root: JsonValue
  private readonly report: Report
  private remainingParts = MAX_TOTAL_PARTS
  private remainingSchemaParts = 0

  /** @param root what references point into */
  constructor(root: JsonValue, report: Report) {
    this.root = root
    this.report = report
  }

  /** @param pointer where the schema stands, for what is reported */
  read(schema: JsonValue, pointer: string): JsonSchema {
    this.remainingSchemaParts = Math.min(MAX_PARTS, this.remainingParts)
    const before = this.remainingSchemaParts
    const plain = this.schema(schema, pointer, [])
    this.remainingParts -= before - this.remainingSchemaParts
    return plain
  }

  /** What stands here, or what the reference that stands here leads to; undefined, and reported, where it leads nowhere. */
  resolve(value: JsonValue | undefined, pointer: string): { value: JsonObject; pointer: string } | undefined {
    let found = { value, pointer }
    for (let hops = 0; hops < 20; hops++) {
      if (!isJsonObject(found.value)) return undefined
      const { $ref } = found.value
      if (typeof $ref !== 'string') return { value: found.value, pointer: found.pointer }
      const next = this.follow($ref, `${found.pointer}/$ref`)
      if (!next) return undefined
      found = next
    }
    this.report(pointer, 'must not be a circular reference')
    return undefined
  }

  private schema(schema: JsonValue, pointer: string, trail: string[]): JsonSchema {
    if (!isJsonObject(schema) || --this.remainingSchemaParts < 0) return {}
    const { $ref, ...beside } = schema
    if (typeof $ref !== 'string') return this.keywords(schema, pointer, trail)
    if (trail.includes($ref)) return {}
    const target = this.follow($ref, `${pointer}/$ref`)
    if (!target) return {}
    const referred = this.schema(target.value ?? {}, target.pointer, [...trail, $ref])
    return { ...referred, ...this.keywords(beside, pointer, trail) }
  }

  private keywords(schema: JsonObject, pointer: string, trail: string[]): JsonSchema {
    const plain: JsonSchema = {}
    for (const [key, value] of Object.entries(schema)) {
      const place = `${pointer}/${escapePointer(key)}`
      if (SCHEMAS.has(key)) plain[key] = typeof value === 'boolean' ? value : this.schema(value, place, trail)
      else if (LISTS.has(key) && Array.isArray(value) && value.length > 0)
        plain[key] = value.slice(0, MAX_VALUES).map((part, i) => this.schema(part, `${place}/${i}`, trail))
      else if (BOUNDS.has(key) && typeof value === 'number') plain[key] = value
      else if (COUNTS.has(key) && Number.isSafeInteger(value) && Number(value) >= 0) plain[key] = value
      else if (key === 'multipleOf' && typeof value === 'number' && value > 0) plain[key] = value
      else if (LINES.has(key) && typeof value === 'string') plain[key] = value.slice(0, 200)
      else if (key === 'description' && typeof value === 'string') plain[key] = value.slice(0, MAX_TEXT_CHARS)
      else if (key === 'enum' && Array.isArray(value)) Object.assign(plain, this.enumeration(value))
      else if (VALUES.has(key) && measureText(value) <= MAX_TEXT_CHARS) plain[key] = value
      else if (key === 'type') Object.assign(plain, toKnownTypes(value))
    }
    if (isJsonObject(schema.properties))
      Object.assign(plain, this.properties(schema, schema.properties, pointer, trail))
    return applyExclusiveBounds(schema, applyNullable(schema, plain))
  }

  /** What is only ever answered is nothing to send. */
  private properties(schema: JsonObject, given: JsonObject, pointer: string, trail: string[]): JsonSchema {
    const properties: JsonSchema = {}
    for (const [name, part] of Object.entries(given)) {
      if (isJsonObject(part) && part.readOnly === true) continue
      // An own property under any name: `__proto__` is one like others.
      Object.defineProperty(properties, name, {
        value: this.schema(part, `${pointer}/properties/${escapePointer(name)}`, trail),
        enumerable: true,
        configurable: true,
        writable: true,
      })
    }
    const required = Array.isArray(schema.required) ? schema.required : []
    const kept = [...new Set(required)].filter(name => typeof name === 'string' && Object.hasOwn(properties, name))
    return { properties, ...(kept.length > 0 && { required: kept }) }
  }

  private enumeration(values: JsonValue[]): JsonSchema {
    this.remainingSchemaParts -= values.length
    const unique = [...new Map(values.map(value => [JSON.stringify(value), value])).values()]
    return unique.length > 0 && unique.length <= MAX_VALUES ? { enum: unique } : {}
  }

  private follow($ref: string, pointer: string): { value: JsonValue | undefined; pointer: string } | undefined {
    if (!$ref.startsWith('#')) {
      this.report(pointer, 'must refer to this document, not to another one')
      return undefined
    }
    const place = parseFragment($ref)
    const value = place === undefined ? undefined : getPart(this.root, place)
    if (place === undefined || value === undefined) {
      this.report(pointer, 'must refer to an existing part of this document')
      return undefined
    }
    return { value, pointer: place }
  }
}

/** A type that JSON Schema does not have, such as `file`, is left out. */
function toKnownTypes(value: JsonValue): JsonSchema {
  if (typeof value === 'string') return TYPES.has(value) ? { type: value } : {}
  const known = Array.isArray(value) ? value.filter(type => typeof type === 'string' && TYPES.has(type)) : []
  return known.length > 0 ? { type: [...new Set(known)] } : {}
}

/** OpenAPI 3.0 says so beside the type. */
function applyNullable(schema: JsonObject, plain: JsonSchema): JsonSchema {
  if (schema.nullable !== true) return plain
  const { type, enum: values } = plain
  return {
    ...plain,
    ...(typeof type === 'string' && { type: [type, 'null'] }),
    ...(Array.isArray(values) && !values.includes(null) && { enum: [...values, null] }),
  }
}

/** OpenAPI 3.0 has flags where JSON Schema has numbers. */
function applyExclusiveBounds(schema: JsonObject, plain: JsonSchema): JsonSchema {
  const kept = { ...plain }
  for (const [bound, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    if (schema[exclusive] !== true || kept[bound] === undefined) continue
    kept[exclusive] = kept[bound]
    delete kept[bound]
  }
  return kept
}

const measureText = (value: JsonValue): number => JSON.stringify(value).length

function parseFragment(ref: string): string | undefined {
  try {
    const place = decodeURIComponent(ref.slice(1))
    return place === '' || place.startsWith('/') ? place : undefined
  } catch {
    return undefined
  }
}

function getPart(root: JsonValue, pointer: string): JsonValue | undefined {
  return pointer
    .split('/')
    .slice(1)
    .reduce<JsonValue | undefined>((part, step) => {
      const key = unescapePointer(step)
      if (typeof part !== 'object' || part === null) return undefined
      return Object.hasOwn(part, key) ? (part as JsonObject)[key] : undefined
    }, root)
}
