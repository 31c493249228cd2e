import { randomUUID } from 'node:crypto'

/** A part of a JSON schema in the OpenAPI document. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  format?: string
  pattern?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  maxLength?: number
  maxItems?: number
  minItems?: number
  maximum?: number
  minimum?: number
  exclusiveMinimum?: number
}

export type Components = Record<string, Schema>

/** A limit of a field, with bodies in which the field is at the limit and beyond it. */
export interface Limit {
  /** JSON pointer to the field. */
  pointer: string
  at: unknown
  beyond: unknown
}

type Set = (value: unknown) => unknown

/** Resolves a reference to its schema. */
export const resolveSchema = (schema: Schema, components: Components): Schema =>
  schema.$ref === undefined ? schema : (components[schema.$ref.split('/').at(-1) ?? ''] ?? {})

/**
 * Lists the limits for texts, lists and numbers in a body's schema. Bodies are `base` with one field replaced.
 * `unlimited` receives the pointers of texts without a limit.
 */
export function listLimits(root: Schema, components: Components, base: object, unlimited: (pointer: string) => void) {
  const limits: Limit[] = []
  const resolve = (schema: Schema): Schema => resolveSchema(schema, components)

  function sample(rawSchema: Schema): unknown {
    const schema = resolve(rawSchema)
    const [branch] = schema.anyOf ?? schema.oneOf ?? []
    if (branch) return sample(branch)
    if (schema.const !== undefined) return schema.const
    if (schema.enum) return schema.enum[0]
    const types = listTypes(schema)
    if (types.includes('object') || schema.properties) return sampleObject(schema)
    if (types.includes('array')) return Array.from({ length: schema.minItems ?? 0 }, () => sample(schema.items ?? {}))
    if (types.includes('integer') || types.includes('number')) return schema.minimum ?? 1
    return schema.format === 'uuid' ? randomUUID() : 'a'
  }

  const sampleObject = ({ required = [], properties = {} }: Schema) =>
    Object.fromEntries(required.map(name => [name, sample(properties[name] ?? {})]))

  /** Returns whether the value has only fields that the branch declares, and its constants. */
  const has = (branch: Schema, value: unknown): boolean =>
    typeof value === 'object' &&
    Object.entries(value ?? {}).every(([name, entry]) => {
      const property = resolve(branch).properties?.[name]
      return property !== undefined && (property.const === undefined || property.const === entry)
    })

  function visit(rawSchema: Schema, pointer: string, value: unknown, set: Set): void {
    const schema = resolve(rawSchema)
    const add = (at: unknown, beyond: unknown) => limits.push({ pointer, at: set(at), beyond: set(beyond) })
    for (const branch of schema.anyOf ?? schema.oneOf ?? [])
      visit(branch, pointer, has(branch, value) ? value : sample(branch), set)
    const types = listTypes(schema)
    if (types.includes('string') && !schema.enum && schema.const === undefined) visitText(schema, pointer, add)
    if (types.includes('integer') || types.includes('number')) visitNumber(schema, add)
    if (schema.items) visitList(schema, pointer, set, add)
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      const object = typeof value === 'object' && value !== null ? value : {}
      const inner = (object as Record<string, unknown>)[name] ?? sample(property)
      visit(property, `${pointer}/${name}`, inner, replacement => set({ ...object, [name]: replacement }))
    }
  }

  function visitText(
    { maxLength, format, pattern }: Schema,
    pointer: string,
    add: (at: unknown, beyond: unknown) => void,
  ): void {
    if (maxLength !== undefined) add(textOf(pointer, maxLength), textOf(pointer, maxLength + 1))
    else if (format === undefined && !pattern?.endsWith('}$')) unlimited(pointer)
  }

  function visitList(
    { items = {}, maxItems }: Schema,
    pointer: string,
    set: Set,
    add: (at: unknown, beyond: unknown) => void,
  ): void {
    const list = (length: number) => Array.from({ length }, () => sample(items))
    if (maxItems !== undefined) add(list(maxItems), list(maxItems + 1))
    visit(items, `${pointer}/0`, sample(items), replacement => set([replacement]))
  }

  visit(root, '', base, body => body)
  return limits
}

function visitNumber({ minimum, maximum }: Schema, add: (at: unknown, beyond: unknown) => void): void {
  if (maximum !== undefined) add(maximum, maximum + 1)
  if (minimum !== undefined) add(minimum, minimum - 1)
}

const listTypes = ({ type }: Schema): string[] => [type ?? []].flat()

/** Returns a text with the given length that is otherwise as valid as possible. */
function textOf(pointer: string, length: number): string {
  const [, start = ''] = TEXTS.find(([pattern]) => pattern.test(pointer)) ?? []
  return start + 'a'.repeat(length - start.length)
}

const TEXTS: [RegExp, string][] = [
  [/media_type$/, `${'a'.repeat(100)}/`],
  [/url$/, 'https://a.example/'],
  [/parent_keys?(\/0)?$/, 'folder:/'],
  [/\/path$|path_prefix$|folders\/0$/, '/'],
]
