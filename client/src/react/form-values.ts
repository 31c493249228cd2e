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
}

/**
 * - `group`: the properties of an object.
 * - `choice`, `choices`: one or several of given values.
 * - `lines`: a list of texts, one per line.
 * - `json`: all other values.
 */
export type FieldKind = 'group' | 'constant' | 'choice' | 'choices' | 'flag' | 'number' | 'text' | 'lines' | 'json'

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

function readProperties({ properties = {} }: FieldSchema, fields: FormData, name: string): Record<string, unknown> {
  const values = Object.entries(properties).map(
    ([property, schema]) => [property, readValue(schema, fields, nameField(name, property))] as const,
  )
  return Object.fromEntries(values.filter(([, value]) => value !== undefined))
}
