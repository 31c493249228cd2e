import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from '../shared/json/json.ts'
import { escapePointer, unescapePointer } from '../shared/json/json-pointer.ts'
import { FORMATS } from '../shared/schemas/formats.ts'
import { cut } from '../shared/text/shorten.ts'

/** Called for each problem in the document, with a JSON pointer into it. */
export type Report = (pointer: string, message: string) => void

/** Maximum number of parts in one schema, and in all schemas of a document, with references expanded. */
const MAX_PARTS = 800
const MAX_TOTAL_PARTS = 60_000
const MAX_TITLE_CHARS = 200
const MAX_TEXT_CHARS = 1_000
const MAX_VALUES = 500

const SCHEMAS = new Set(['items', 'contains', 'not', 'additionalProperties'])
const LISTS = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems'])
const BOUNDS = new Set(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'])
const COUNTS = new Set(['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'])
const TYPES = new Set(['null', 'boolean', 'object', 'array', 'number', 'string', 'integer'])
const VALUES = new Set(['const', 'default'])

/**
 * Converts OpenAPI 3.0 and 3.1 schemas or JSON Schemas to self-contained JSON Schemas that are cheap to validate
 * against. Local references are expanded. Recursive parts, and parts beyond the limits, accept any value. Patterns,
 * `uniqueItems` and unknown formats are left to the other system to check.
 */
export class PlainSchemas {
  private readonly root: JsonValue
  private readonly report: Report
  private remainingParts = MAX_TOTAL_PARTS
  private remainingSchemaParts = 0

  /** @param root root for resolving references */
  constructor(root: JsonValue, report: Report) {
    this.root = root
    this.report = report
  }

  /** @param pointer location of the schema, for reports */
  read(schema: JsonValue, pointer: string): JsonSchema {
    this.remainingSchemaParts = Math.min(MAX_PARTS, this.remainingParts)
    const before = this.remainingSchemaParts
    const plain = this.schema(schema, pointer, [])
    this.remainingParts -= before - this.remainingSchemaParts
    return plain
  }

  /** Returns the value, or the target of its reference. Reports a missing target and returns undefined. */
  resolve(value: JsonValue | undefined, pointer: string): { value: JsonObject; pointer: string } | undefined {
    let target = { value, pointer }
    for (let hops = 0; hops < 20; hops++) {
      if (!isJsonObject(target.value)) return undefined
      const { $ref } = target.value
      if (typeof $ref !== 'string') return { value: target.value, pointer: target.pointer }
      const next = this.follow($ref, `${target.pointer}/$ref`)
      if (!next) return undefined
      target = next
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
      else if (key === 'title' && typeof value === 'string') plain[key] = cut(value, MAX_TITLE_CHARS)
      else if (key === 'format' && typeof value === 'string' && FORMATS.has(value)) plain[key] = value
      else if (key === 'description' && typeof value === 'string') plain[key] = cut(value, MAX_TEXT_CHARS)
      else if (key === 'enum' && Array.isArray(value)) Object.assign(plain, this.enumeration(value))
      else if (VALUES.has(key) && measureText(value) <= MAX_TEXT_CHARS) plain[key] = value
      else if (key === 'type') Object.assign(plain, filterKnownTypes(value))
    }
    if (isJsonObject(schema.properties))
      Object.assign(plain, this.properties(schema, schema.properties, pointer, trail))
    return applyExclusiveBounds(schema, applyNullable(schema, plain))
  }

  /** Converts the properties of a schema. Omits read-only properties, because they are never sent. */
  private properties(schema: JsonObject, parts: JsonObject, pointer: string, trail: string[]): JsonSchema {
    const properties: JsonSchema = {}
    for (const [name, part] of Object.entries(parts)) {
      if (isJsonObject(part) && part.readOnly === true) continue
      // Defines an own property under any name, including `__proto__`.
      Object.defineProperty(properties, name, {
        value: this.schema(part, `${pointer}/properties/${escapePointer(name)}`, trail),
        enumerable: true,
        configurable: true,
        writable: true,
      })
    }
    const required = Array.isArray(schema.required) ? schema.required : []
    const names = [...new Set(required)].filter(name => typeof name === 'string' && Object.hasOwn(properties, name))
    return { properties, ...(names.length > 0 && { required: names }) }
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
    const value = place === undefined ? undefined : findPart(this.root, place)
    if (place === undefined || value === undefined) {
      this.report(pointer, 'must refer to an existing part of this document')
      return undefined
    }
    return { value, pointer: place }
  }
}

/** Returns the JSON Schema types and omits others, such as `file`. */
function filterKnownTypes(value: JsonValue): JsonSchema {
  if (typeof value === 'string') return TYPES.has(value) ? { type: value } : {}
  const types = Array.isArray(value) ? value.filter(type => typeof type === 'string' && TYPES.has(type)) : []
  return types.length > 0 ? { type: [...new Set(types)] } : {}
}

/** Adds null to the type and the values if OpenAPI 3.0's `nullable` is true. */
function applyNullable(schema: JsonObject, plain: JsonSchema): JsonSchema {
  if (schema.nullable !== true) return plain
  const { type, enum: values } = plain
  return {
    ...plain,
    ...(typeof type === 'string' && { type: [type, 'null'] }),
    ...(Array.isArray(values) && !values.includes(null) && { enum: [...values, null] }),
  }
}

/** Converts OpenAPI 3.0's boolean `exclusiveMinimum` and `exclusiveMaximum` to numbers. */
function applyExclusiveBounds(schema: JsonObject, plain: JsonSchema): JsonSchema {
  const converted = { ...plain }
  for (const [bound, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    if (schema[exclusive] !== true || converted[bound] === undefined) continue
    converted[exclusive] = converted[bound]
    delete converted[bound]
  }
  return converted
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

function findPart(root: JsonValue, pointer: string): JsonValue | undefined {
  return pointer
    .split('/')
    .slice(1)
    .reduce<JsonValue | undefined>((part, step) => {
      const key = unescapePointer(step)
      if (typeof part !== 'object' || part === null) return undefined
      return Object.hasOwn(part, key) ? (part as JsonObject)[key] : undefined
    }, root)
}
