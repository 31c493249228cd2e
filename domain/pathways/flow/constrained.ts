import { isJsonObject, type JsonValue } from '../../shared/json/json.ts'

/** Formats that are too narrow for free-text instructions. */
const NARROW_FORMATS = new Set([
  'date',
  'date-time',
  'time',
  'duration',
  'iso-duration',
  'uuid',
  'file',
  'ipv4',
  'ipv6',
])
const SCALARS = new Set(['number', 'integer', 'boolean', 'null'])

/**
 * Returns whether a schema leaves no room for free text at a path. The value must be a number, a boolean, an enum
 * value, or a string with an anchored pattern or a narrow format. Objects and lists must consist of such values.
 */
export function isConstrained(schema: JsonValue | undefined, [name, ...rest]: readonly string[] = []): boolean {
  if (!isJsonObject(schema)) return false
  if (name !== undefined)
    return isJsonObject(schema.properties) && isConstrained(ownField(schema.properties, name), rest)
  if ('const' in schema || 'enum' in schema) return true
  const types = [schema.type ?? null].flat()
  return types.every(type => {
    if (typeof type !== 'string') return false
    if (SCALARS.has(type)) return true
    if (type === 'string') return isNarrowText(schema.pattern, schema.format)
    if (type === 'array') return isConstrained(schema.items)
    const { properties = {}, additionalProperties } = schema
    return (
      additionalProperties === false &&
      isJsonObject(properties) &&
      Object.values(properties).every(part => isConstrained(part))
    )
  })
}

const ownField = (properties: Record<string, JsonValue>, name: string): JsonValue | undefined =>
  Object.hasOwn(properties, name) ? properties[name] : undefined

const isNarrowText = (pattern: JsonValue | undefined, format: JsonValue | undefined): boolean =>
  (typeof pattern === 'string' && pattern.startsWith('^') && pattern.endsWith('$')) ||
  (typeof format === 'string' && NARROW_FORMATS.has(format))
