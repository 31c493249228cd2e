/** The part of a JSON Schema that the form shows. */
export interface FieldSchema {
  $ref?: string
  type?: string | string[]
  title?: string
  description?: string
  default?: unknown
  const?: unknown
  enum?: unknown[]
  format?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  required?: string[]
  properties?: Record<string, FieldSchema>
  items?: FieldSchema
  allOf?: FieldSchema[]
  not?: FieldSchema
  if?: FieldSchema
  then?: FieldSchema
  else?: FieldSchema
  dependentSchemas?: Record<string, FieldSchema>
}

/**
 * - `group`: the properties of an object.
 * - `choice`, `choices`: one or several of given values.
 * - `lines`: a list of texts, one per line.
 * - `json`: all other values.
 */
export type FieldKind = 'group' | 'constant' | 'choice' | 'choices' | 'flag' | 'number' | 'text' | 'lines' | 'json'

/**
 * Merges a schema with the parts that apply to a value: references, `allOf` and conditions. Keywords of the schema
 * override those of its parts, and keywords of later parts override those of earlier parts. The value can be incomplete.
 * @param root contains the definitions of references
 */
export function applyConditions(schema: FieldSchema, value: unknown, root = schema): FieldSchema {
  const { $ref, if: condition, dependentSchemas = {}, allOf = [], items } = schema
  const object = toObject(value)
  const parts = [
    $ref && resolveReference(root, $ref),
    ...allOf,
    ...Object.entries(dependentSchemas).map(([name, part]) => name in object && part),
    condition && (matches(condition, value) ? schema.then : schema.else),
  ].map(part => (part ? applyConditions(part, value, root) : {}))
  const properties = new Map<string, FieldSchema>()
  for (const { properties: others = {} } of [schema, ...parts])
    for (const [name, each] of Object.entries(others)) {
      const before = properties.get(name)
      properties.set(name, before ? { allOf: [before, each] } : each)
    }
  return Object.assign(
    {},
    ...parts,
    schema,
    items && { items: applyConditions(items, undefined, root) },
    properties.size > 0 && { properties: Object.fromEntries(properties) },
    { required: [schema, ...parts].flatMap(({ required = [] }) => required) },
  ) as FieldSchema
}

/** Returns the part of the schema that a local reference names. */
const resolveReference = (root: FieldSchema, ref: string): FieldSchema | undefined =>
  decodeURIComponent(ref)
    .split('/')
    .slice(1)
    .reduce<unknown>((part, step) => toObject(part)[step.replaceAll('~1', '/').replaceAll('~0', '~')], root) as
    FieldSchema | undefined

/** Whether a value matches a condition. Other keywords always match, and are left to the service. */
function matches({ properties = {}, required = [], not, ...schema }: FieldSchema, value: unknown): boolean {
  const object = toObject(value)
  return (
    (schema.const ?? value) === value &&
    (schema.enum ?? [value]).includes(value) &&
    !(not && matches(not, value)) &&
    required.every(name => name in object) &&
    Object.entries(properties).every(([name, each]) => !(name in object) || matches(each, object[name]))
  )
}

const toObject = (value: unknown) => (Object(value) === value ? value : {}) as Record<string, unknown>

export function findFieldKind({ type, properties, items, ...schema }: FieldSchema): FieldKind {
  const types = (Array.isArray(type) ? type : [type]).filter(name => name !== 'null')
  const name = types.length === 1 ? types[0] : undefined
  if (schema.enum) return 'choice'
  if ('const' in schema) return 'constant'
  if (properties) return 'group'
  if (name === 'boolean') return 'flag'
  if (name === 'number' || name === 'integer') return 'number'
  if (name === 'string') return 'text'
  if (name === 'array' && items?.enum) return 'choices'
  return name === 'array' && items?.type === 'string' ? 'lines' : 'json'
}

/** Returns the name of a property's field: its JSON pointer in the form's data. */
export const nameField = (parent: string, property: string): string =>
  `${parent}/${property.replaceAll('~', '~0').replaceAll('/', '~1')}`

/**
 * Reads the value of a schema from the fields of a form. Throws SyntaxError for invalid JSON.
 * @param root contains the definitions of references
 */
export function readValue(given: FieldSchema, fields: FormData, name = '', root = given): unknown {
  const texts = readTexts(fields, name)
  const [text = ''] = texts
  const schema = applyConditions(given, undefined, root)
  const kind = findFieldKind(schema)
  if (kind === 'group') return readProperties(given, fields, name, root)
  if (kind === 'constant') return schema.const
  if (kind === 'flag') return texts.length > 0
  if (kind === 'choices') return texts.map(index => schema.items?.enum?.[Number(index)])
  if (kind === 'lines') return text.split('\n').filter(Boolean)
  if (text === '') return undefined
  if (kind === 'choice') return schema.enum?.[Number(text)]
  if (kind === 'number') return Number(text)
  if (kind === 'json') return JSON.parse(text) as unknown
  return schema.format === 'date-time' ? new Date(text).toISOString() : text
}

/** Returns the texts of a form's fields with a name. */
export const readTexts = (fields: FormData, name: string): string[] =>
  fields.getAll(name).filter(value => typeof value === 'string')

/** Conditions that depend on each other can change a value this often. */
const MAX_ROUNDS = 20

/** Reads the properties of an object. Their values can add conditional properties. */
function readProperties(schema: FieldSchema, fields: FormData, name: string, root: FieldSchema) {
  let value: Record<string, unknown> = {}
  let before = ''
  for (let round = 0; round < MAX_ROUNDS && before !== JSON.stringify(value); round++) {
    before = JSON.stringify(value)
    const { properties = {} } = applyConditions(schema, value, root)
    const values = Object.entries(properties).map(
      ([property, each]) => [property, readValue(each, fields, nameField(name, property), root)] as const,
    )
    value = Object.fromEntries(values.filter(([, each]) => each !== undefined))
  }
  return value
}
