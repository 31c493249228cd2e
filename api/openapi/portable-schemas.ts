import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/shared/json/json.ts'
import { makePatternsPortable } from './patterns.ts'

/** Keywords that apply only to one type. All other keywords apply to every value. */
const KEYWORDS: Record<string, readonly string[]> = {
  string: ['minLength', 'maxLength', 'pattern', 'format', 'contentEncoding', 'contentMediaType'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  array: ['items', 'prefixItems', 'contains', 'minItems', 'maxItems', 'uniqueItems'],
  object: ['properties', 'required', 'additionalProperties', 'propertyNames', 'minProperties', 'maxProperties'],
}
KEYWORDS.integer = KEYWORDS.number ?? []
const TYPED = new Set(Object.values(KEYWORDS).flat())

/** Keywords whose values are data, not schemas. */
const DATA = new Set(['const', 'default', 'enum', 'example', 'examples', 'mapping', 'required'])

/**
 * Rewrites schemas in place so that other languages and client generators understand them. Patterns use only common
 * escapes, constants have a type, lists declare their entries, and a choice of types becomes `anyOf`. A constant
 * boolean becomes "not the other value". Only simple types keep their defaults. The rewritten schemas accept the same
 * values as the originals.
 */
export function makePortable(part: unknown): void {
  makePatternsPortable(part)
  rewrite(part as JsonValue)
}

function rewrite(part: JsonValue): void {
  if (Array.isArray(part)) part.forEach(rewrite)
  if (!isJsonObject(part)) return
  if (Array.isArray(part.type)) splitTypes(part, part.type as string[])
  if (part.const !== undefined && part.type === undefined) part.type = typeOf(part.const)
  if (!isPlainDefault(part)) delete part.default
  if (Array.isArray(part.enum) && part.enum.includes(null)) splitNull(part, part.enum)
  if (part.type === 'array' && part.items === undefined && part.prefixItems === undefined) part.items = {}
  for (const [keyword, value] of Object.entries(part)) {
    // Treat the keys as field names, because a field may have the same name as a keyword.
    if (keyword === 'properties') Object.values(value as JsonObject).forEach(rewrite)
    else if (!DATA.has(keyword)) rewrite(value)
  }
  if (part.type === 'boolean') excludeOther(part)
}

/** Splits a list of types. Leaves nullable types as they are, because generators understand them. */
function splitTypes(schema: JsonObject, types: string[]): void {
  if (types.filter(type => type !== 'null').length < 2) return
  schema.anyOf = types.map(type => {
    const ownKeywords = Object.entries(schema).filter(([keyword]) => KEYWORDS[type]?.includes(keyword))
    return { type, ...Object.fromEntries(ownKeywords) }
  })
  delete schema.type
  for (const keyword of Object.keys(schema)) if (TYPED.has(keyword)) delete schema[keyword]
}

/** Whether a default has one simple type. Go and Java have literals only for such defaults. */
const isPlainDefault = ({ default: value, type }: JsonObject): boolean =>
  typeof type === 'string' && (value === null || typeof value !== 'object')

/** Replaces a constant boolean by excluding the other value, because Java doesn't support boolean enumerations. */
function excludeOther(schema: JsonObject): void {
  const { const: constant, enum: options = constant === undefined ? [] : [constant] } = schema
  delete schema.const
  delete schema.enum
  if (Array.isArray(options) && options.length === 1) schema.not = { const: !options[0] }
}

/** Moves null out of an enumeration. */
function splitNull(schema: JsonObject, options: JsonValue[]): void {
  schema.anyOf = [{ type: 'string', enum: options.filter(option => option !== null) }, { type: 'null' }]
  delete schema.type
  delete schema.enum
}

const typeOf = (value: JsonValue): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)
