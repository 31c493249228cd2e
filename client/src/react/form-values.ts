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
  contentMediaType?: string
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  exclusiveMaximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  required?: string[]
  properties?: Record<string, FieldSchema>
  items?: FieldSchema
  contains?: FieldSchema
  allOf?: FieldSchema[]
  anyOf?: FieldSchema[]
  oneOf?: FieldSchema[]
  not?: FieldSchema
  if?: FieldSchema
  then?: FieldSchema
  else?: FieldSchema
  dependentSchemas?: Record<string, FieldSchema>
  /** Titles of the values in `enum`. Not part of JSON Schema. */
  titles?: (string | undefined)[]
}

/**
 * - `group`: the properties of an object.
 * - `choice`, `choices`: one or several of given values.
 * - `lines`: a list of texts, one per line, or of files.
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
  const whole = Object.assign({}, ...parts, schema) as FieldSchema
  const options = whole.oneOf ?? whole.anyOf ?? []
  const isChoice = options.length > 0 && options.every(option => Object.hasOwn(option, 'const'))
  return Object.assign(
    whole,
    isChoice && { enum: options.map(option => option.const), titles: options.map(({ title }) => title) },
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
function matches({ properties = {}, required = [], contains, not, ...schema }: FieldSchema, value: unknown): boolean {
  const object = toObject(value)
  const isMet = (condition: FieldSchema) => matches(condition, value)
  const { anyOf, oneOf, allOf = [], minLength = 0 } = schema
  const number = value as number
  return (
    (!('const' in schema) || schema.const === value) &&
    (schema.enum ?? [value]).includes(value) &&
    !(number < (schema.minimum ?? number)) &&
    !(number <= (schema.exclusiveMinimum ?? NaN)) &&
    !(number > (schema.maximum ?? number)) &&
    !(number >= (schema.exclusiveMaximum ?? NaN)) &&
    !(typeof value === 'string' && value.length < minLength) &&
    !(contains && Array.isArray(value) && !value.some(item => matches(contains, item))) &&
    allOf.every(isMet) &&
    [anyOf, oneOf].every(parts => parts?.some(isMet) ?? true) &&
    !(not && isMet(not)) &&
    required.every(name => name in object) &&
    Object.entries(properties).every(([name, each]) => !(name in object) || matches(each, object[name]))
  )
}

const toObject = (value: unknown) => (Object(value) === value ? value : {}) as Record<string, unknown>

export function findFieldKind({ type, properties, items, ...schema }: FieldSchema): FieldKind {
  const types = (Array.isArray(type) ? type : [type]).filter(name => name !== 'null')
  const name = types.length === 1 ? types[0] : undefined
  if (schema.enum) return 'choice'
  // A box that must be checked is not checked in advance.
  if (name === 'boolean') return 'flag'
  if ('const' in schema) return 'constant'
  if (properties) return 'group'
  if (name === 'number' || name === 'integer') return 'number'
  if (name === 'string') return 'text'
  if (name === 'array' && items?.enum) return 'choices'
  return name === 'array' && items?.type === 'string' ? 'lines' : 'json'
}

/** Whether null stands for an empty field. */
export const isNullable = ({ type, enum: values }: FieldSchema): boolean => !values && [type].flat().includes('null')

/** Returns the name of a property's field: its JSON pointer in the form's data. */
export const nameField = (parent: string, property: string): string =>
  `${parent}/${property.replaceAll('~', '~0').replaceAll('/', '~1')}`

/**
 * Reads the value of a schema from the fields of a form. Throws SyntaxError for invalid JSON.
 * @param root contains the definitions of references
 */
export function readValue(given: FieldSchema, fields: FormData, name = '', root = given, isRequired = false): unknown {
  const texts = readTexts(fields, name)
  const [text = ''] = texts
  const schema = applyConditions(given, undefined, root)
  const kind = findFieldKind(schema)
  if (kind === 'group') return readProperties(given, fields, name, root)
  if (kind === 'constant') return schema.const
  if (kind === 'flag') return texts.length > 0
  if (kind === 'choices' || kind === 'lines') {
    const values =
      kind === 'lines'
        ? texts.join('\n').split('\n').filter(Boolean)
        : texts.map(index => schema.items?.enum?.[Number(index)])
    return values.length > 0 || isRequired || !schema.minItems ? values : undefined
  }
  if (text === '') return isRequired && isNullable(schema) ? null : undefined
  if (kind === 'choice') return schema.enum?.[Number(text)]
  if (kind === 'number') return Number(text)
  if (kind === 'json') return JSON.parse(text) as unknown
  const start = TIMES[schema.format ?? '']
  return start === undefined ? text : toDate(text, start).toISOString().slice(start)
}

/** Where the texts of formats start in a date and time. */
const TIMES: Record<string, number> = { 'date-time': 0, time: 11 }

/** Returns the moment of a text. A time is a time of today. */
const toDate = (text: string, start: number) =>
  new Date(start > 0 ? `${new Date().toLocaleDateString('sv')}T${text}` : text)

/** Returns a text as the input for its format takes it: a time is a local time. */
export function toInputText(text: string, format = ''): string {
  const start = TIMES[format]
  return start === undefined ? text : toDate(text, start).toLocaleString('sv').replace(' ', 'T').slice(start, 16)
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
    const { properties = {}, required = [] } = applyConditions(schema, value, root)
    const values = Object.entries(properties).map(
      ([property, each]) =>
        [property, readValue(each, fields, nameField(name, property), root, required.includes(property))] as const,
    )
    value = Object.fromEntries(values.filter(([, each]) => each !== undefined))
  }
  return value
}
