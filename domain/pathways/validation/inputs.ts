import { isJsonObject, type JsonSchema, type JsonValue, type Problem } from '../../shared/json/json.ts'
import type { CompiledBinding } from '../bindings.ts'

const MAX_LISTED_FIELDS = 20

/** The expressions of one property, with its pointer. */
export interface PlacedBinding {
  at: string
  binding: Pick<CompiledBinding, 'inputs' | 'unguarded'>
}

/** Lists reads of input fields that the schema excludes. */
export const unknownFields = ({ at, binding }: PlacedBinding, schema: JsonSchema): Problem[] =>
  binding.inputs.flatMap(path => unknownField(schema, path).map(message => ({ pointer: at, message })))

/** Lists reads of optional input fields without a `has()` guard. */
export const optionalFields = ({ at, binding }: PlacedBinding, schema: JsonSchema): Problem[] =>
  binding.unguarded.flatMap(path => {
    const optional = findOptional(schema, path)
    if (optional === undefined) return []
    const message = `${optional} is optional: test it with has(${optional}), or give it a default`
    return [{ pointer: at, message }]
  })

/** Returns the first field of a path that is declared, but neither required nor given a default. */
function findOptional(schema: JsonValue | undefined, [name, ...rest]: string[], at = 'input'): string | undefined {
  if (name === undefined || !isJsonObject(schema)) return undefined
  const { properties, required } = schema
  const field = isJsonObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined
  if (!isJsonObject(field)) return undefined
  const isThere = 'default' in field || (Array.isArray(required) && required.includes(name))
  return isThere ? findOptional(field, rest, `${at}.${name}`) : `${at}.${name}`
}

/** Returns the problem with a field that `additionalProperties: false` excludes. Nested fields are checked by name. */
function unknownField(schema: JsonValue | undefined, path: string[], at = 'input'): string[] {
  const [name, ...rest] = path
  if (name === undefined || !isJsonObject(schema)) return []
  const { properties, additionalProperties, patternProperties } = schema
  const fields = isJsonObject(properties) ? properties : {}
  if (Object.hasOwn(fields, name)) return unknownField(fields[name], rest, `${at}.${name}`)
  if (additionalProperties !== false || patternProperties !== undefined) return []
  const listed = Object.keys(fields).slice(0, MAX_LISTED_FIELDS).join(', ') || 'none'
  return [`${at} has no field "${name}"; its schema has ${listed}`]
}
