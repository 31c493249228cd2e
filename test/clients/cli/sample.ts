/** The parts of a JSON Schema in an OpenAPI document that samples need. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  format?: string
  minimum?: number
}

const MAX_DEPTH = 8
const TEXTS: Record<string, string> = {
  uuid: '01a20fd9-d376-72cc-9d27-a8b8116d415f',
  'date-time': '2026-01-01T00:00:00.000Z',
  uri: 'https://example.com/',
}

/** Builds a value for a schema, with all properties, one element per list, and the first of several alternatives. */
export function buildSample(schemas: Record<string, Schema>, schema: Schema, depth = 0): unknown {
  const build = (part: Schema, deeper = 1) => buildSample(schemas, part, depth + deeper)
  if (schema.$ref !== undefined) return build(schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {})
  if ('const' in schema) return schema.const
  if (schema.enum) return schema.enum[0]
  const [first] = schema.anyOf ?? schema.oneOf ?? []
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map(part => build(part)))
  if (first && !schema.properties) return build(first)
  const type = [schema.type].flat().find(name => name !== 'null')
  if (type === 'array') return depth < MAX_DEPTH && schema.items ? [build(schema.items)] : []
  if (type === 'string') return TEXTS[schema.format ?? ''] ?? 'text'
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return Math.max(schema.minimum ?? 1, 1)
  const properties = Object.entries(schema.properties ?? {}).filter(
    // A sample page is always the last one, so it has no cursor.
    ([name]) => name !== 'cursor' && (depth < MAX_DEPTH || schema.required?.includes(name)),
  )
  return Object.fromEntries(properties.map(([name, part]) => [name, build(part)]))
}
