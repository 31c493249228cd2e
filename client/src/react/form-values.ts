/** The part of a JSON Schema that the form shows. */
export interface FieldSchema {
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

/** Adds the conditional parts of an object's schema that apply to its value. The value can be incomplete. */
export function applyConditions(schema: FieldSchema, value: unknown): FieldSchema {
  const { if: condition, dependentSchemas = {}, allOf = [], properties = {}, required = [] } = schema
  const object = toObject(value)
  const parts = [
    ...allOf,
    ...Object.entries(dependentSchemas).flatMap(([name, part]) => (name in object ? part : [])),
    ...((condition && [matches(condition, value) ? schema.then : schema.else]) ?? []),
  ].flatMap(part => (part ? applyConditions(part, value) : []))
  return parts.length === 0
    ? schema
    : {
        ...schema,
        properties: Object.assign({}, properties, ...parts.map(part => part.properties)) as Properties,
        required: required.concat(...parts.map(part => part.required ?? [])),
      }
}

type Properties = Record<string, FieldSchema>

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
  if ('const' in schema) return 'constant'
  if (schema.enum) return 'choice'
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

/** Reads the value of a schema from the fields of a form. Throws SyntaxError for invalid JSON. */
export function readValue(schema: FieldSchema, fields: FormData, name = ''): unknown {
  const texts = readTexts(fields, name)
  const [text = ''] = texts
  const kind = findFieldKind(schema)
  if (kind === 'group') return readProperties(schema, fields, name)
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

/** Reads the properties of an object. Their values can add conditional properties. */
function readProperties(schema: FieldSchema, fields: FormData, name: string): Record<string, unknown> {
  let value: Record<string, unknown> = {}
  for (let before = -1, count = 0; count > before;) {
    const { properties = {} } = applyConditions(schema, value)
    const values = Object.entries(properties).map(
      ([property, each]) => [property, readValue(each, fields, nameField(name, property))] as const,
    )
    value = Object.fromEntries(values.filter(([, each]) => each !== undefined))
    before = count
    count = values.length
  }
  return value
}
