import type { JsonObject, JsonValue } from '../../../domain/shared/json/json.ts'
import { findings, labels } from './labels.ts'
import { phrasesFor } from '../text/concepts.ts'
import { amountsIn } from './amounts.ts'
import { readRecords } from './records.ts'
import { readBoolean, readNumber, readOption, readString } from './scalars.ts'
import type { Source } from '../text/source.ts'

type Schema = JsonObject

const MAX_DEPTH = 10
const BULLET = /^(?:[-*•–]|\d+[.)])\s+/

/**
 * Fills a JSON Schema from a text by rule. If no value is found, the result is null where the schema allows null.
 * Otherwise, the field is omitted, except that a required text, list or object is empty.
 */
export function fill(
  source: Source,
  schema: Schema,
  root: Schema = schema,
  name = 'answer',
  depth = 0,
): JsonValue | undefined {
  const { shape, nullable } = resolve(schema, root)
  if (shape.const !== undefined) return shape.const
  const value = depth > MAX_DEPTH || source.left-- <= 0 ? undefined : read(source, shape, root, name, depth)
  return value ?? shape.default ?? (nullable ? null : undefined)
}

function read(source: Source, shape: Schema, root: Schema, name: string, depth: number): JsonValue | undefined {
  const field = { name, title: shape.title, format: shape.format }
  if (Array.isArray(shape.enum)) return readEnum(source, shape.enum, field)
  if (shape.type === 'object' || shape.properties) return fillObject(source, shape, root, depth)
  if (shape.type === 'array') return readList(source, shape, field)
  if (shape.type === 'number' || shape.type === 'integer') return readNumber(source, field, shape.type === 'integer')
  if (shape.type === 'boolean') return readBoolean(source, field)
  return readString(source, field)
}

function fillObject(source: Source, shape: Schema, root: Schema, depth: number): JsonObject {
  const required = Array.isArray(shape.required) ? shape.required : []
  const entries = Object.entries((shape.properties ?? {}) as Record<string, Schema>).flatMap(([key, property]) => {
    const value = fill(source, property, root, key, depth + 1)
    const fieldValue = value === undefined && required.includes(key) ? empty(resolve(property, root).shape) : value
    return fieldValue === undefined ? [] : [[key, fieldValue] as const]
  })
  return Object.fromEntries(entries)
}

function readEnum(
  source: Source,
  options: JsonValue[],
  field: { name: string; title: unknown },
): JsonValue | undefined {
  const optionText = readOption(source, field, options.filter(option => option !== null).map(asText))
  return options.find(option => asText(option) === optionText)
}

/** Reads list items after a label, or the bullet points below it. */
function readList(
  source: Source,
  shape: Schema,
  { name, title }: { name: string; title: unknown },
): JsonValue[] | undefined {
  const records = readRecordsOf(source, shape)
  if (records) return records
  const [finding] = findings(source.layout, labels(phrasesFor(name, title))).sort((a, b) => b.score - a.score)
  if (!finding) return undefined
  const items = BULLET.test(finding.value)
    ? bulletsBelow(source, finding.row)
    : finding.value.split(/\s*[,;]\s*| {2,}/).filter(Boolean)
  const type =
    typeof shape.items === 'object' && shape.items && !Array.isArray(shape.items) ? shape.items.type : 'string'
  if (type === 'string' || type === undefined) return items
  return type === 'number' || type === 'integer'
    ? items.flatMap(item => amountsIn(item).map(({ value }) => value))
    : undefined
}

function readRecordsOf({ context }: Source, { items }: Schema): JsonValue[] | undefined {
  const isObject = typeof items === 'object' && items !== null && !Array.isArray(items) && items.type === 'object'
  return isObject ? readRecords(context, items) : undefined
}

function bulletsBelow({ layout }: Source, row: number): string[] {
  const lines = layout.slice(row + 1).map(cells => cells.map(cell => cell.text).join(' '))
  const end = lines.findIndex(line => !BULLET.test(line))
  return (end < 0 ? lines : lines.slice(0, end)).map(line => line.replace(BULLET, ''))
}

/**
 * Resolves local references and selects the first alternative that is not null. Also returns whether the schema
 * allows null.
 */
export function resolve(schema: Schema, root: Schema, depth = 0): { shape: Schema; nullable: boolean } {
  const target = typeof schema.$ref === 'string' && depth < MAX_DEPTH ? pointed(root, schema.$ref) : undefined
  if (target) return resolve(target, root, depth + 1)
  const choices = [schema.anyOf, schema.oneOf].find(Array.isArray) as Schema[] | undefined
  const choice = depth < MAX_DEPTH ? choices?.find(({ type }) => type !== 'null') : undefined
  if (choices && choice) {
    const { shape, nullable } = resolve(choice, root, depth + 1)
    return { shape, nullable: nullable || choices.some(({ type }) => type === 'null') }
  }
  const types = Array.isArray(schema.type) ? schema.type : [schema.type]
  const allowed = Array.isArray(schema.enum) && schema.enum.includes(null)
  return {
    shape: { ...schema, type: types.find(type => type !== 'null') ?? null },
    nullable: types.includes('null') || allowed,
  }
}

function pointed(root: Schema, ref: string): Schema | undefined {
  const steps = ref.startsWith('#/') ? ref.slice(2).split('/') : []
  return steps.reduce<JsonValue | undefined>((at, step) => (at as Schema | undefined)?.[step], root) as
    Schema | undefined
}

/** Lists the required fields that are missing from a filled value. */
export function findMissing(value: JsonValue, schema: Schema, root: Schema): string[] {
  const { shape } = resolve(schema, root)
  if (Array.isArray(value)) return value.flatMap(item => findMissing(item, (shape.items ?? {}) as Schema, root))
  if (typeof value !== 'object' || value === null) return []
  const properties = (shape.properties ?? {}) as Record<string, Schema>
  const required = (Array.isArray(shape.required) ? shape.required : []).filter(key => typeof key === 'string')
  const absent = required.filter(key => !Object.hasOwn(value, key))
  const inner = Object.entries(value).flatMap(([key, item]) => findMissing(item, properties[key] ?? {}, root))
  return [...absent, ...inner]
}

/**
 * Returns an empty text, list or object. Returns undefined for numbers, options and booleans, because no value of
 * these types means "nothing".
 */
export function empty({ type, enum: options }: Schema): JsonValue | undefined {
  if (Array.isArray(options) || type === 'number' || type === 'integer' || type === 'boolean') return undefined
  if (type === 'array') return []
  return type === 'object' ? {} : ''
}

const asText = (value: JsonValue): string => (typeof value === 'string' ? value : JSON.stringify(value))
