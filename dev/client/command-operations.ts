import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ClientOperation, listOperations, type OpenApiDocument } from '../../client/generator/document.ts'
import type { OperationField } from '../../cli/src/shared/operation.ts'
import { CHECKOUT } from '../machine/folders.ts'

/** The parts of a JSON Schema that determine command-line options. */
interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: string[]
  allOf?: Schema[]
  anyOf?: Schema[]
  items?: Schema
  description?: string
  default?: string | number | boolean
  properties?: Record<string, Schema>
  required?: string[]
}

interface Operation {
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}

/** Parameters that `--limit`, `--all`, `--brain` or the client itself sets. */
const OF_ALL = new Set(['limit', 'offset', 'brain_id', 't'])

const MAX_VALUES = 10

const SOURCES = join(CHECKOUT, 'cli/src')

/** Renders the data about operations that the command line needs: summaries, parameters and fields. */
export function renderCommandOperations(document: OpenApiDocument): string {
  const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts'))
    .map(file => readFileSync(join(SOURCES, file), 'utf8'))
  const calls = sources.join('').matchAll(/\b(?:operation|deriveOptions)\(\s*'(\w+\.\w+)'/g)
  const named = new Set([...calls].map(([, id]) => id))
  const lines = listOperations(document)
    .filter(({ id }) => named.has(id))
    .map(operation => `  '${operation.id}': ${JSON.stringify(describe(document, operation))},\n`)
  return `// Generated from client/openapi.json by \`npm run client:generate\`. Do not edit.

import type { CommandOperation } from '../shared/operation.ts'

/** The operations that commands call. */
export const OPERATIONS: Record<string, CommandOperation> = {
${lines.join('')}}
`
}

function describe(
  document: OpenApiDocument,
  { path, method, summary, pathParameters, takes, answer }: ClientOperation,
) {
  const operation = document.paths[path]?.[method.toLowerCase()] as unknown as Operation
  const fields = takes === 'body' ? listFields(document, operation) : listParameters(document, operation)
  return {
    summary,
    path: pathParameters.length,
    ...(takes && { takes }),
    ...(answer === 'page' && { isPage: true }),
    fields: Object.fromEntries(fields.filter(([name]) => !OF_ALL.has(name))),
  }
}

const listParameters = (document: OpenApiDocument, { parameters = [] }: Operation) =>
  parameters
    .filter(one => one.in === 'query')
    .map(({ name, schema, required }) => [name, toField(document, schema, required)] as const)

function listFields(document: OpenApiDocument, { requestBody }: Operation) {
  const { properties = {}, required = [] } = resolve(document, requestBody?.content['application/json']?.schema ?? {})
  return Object.entries(properties).map(
    ([name, schema]) => [name, toField(document, schema, required.includes(name))] as const,
  )
}

function toField(document: OpenApiDocument, given: Schema, isRequired = false): OperationField {
  const schema = resolve(document, given)
  const type = toType(document, schema)
  const parts = [given.description ?? schema.description, listValues(document, schema), describeDefault(schema, type)]
  const description = parts.filter(Boolean).join('; ')
  return {
    type,
    ...(description && { description: toOptionText(description, type) }),
    ...(type === 'text' && schema.enum && { choices: schema.enum }),
    ...(isRequired && { isRequired }),
  }
}

/** Returns the allowed values of list items, if there are only a few. */
function listValues(document: OpenApiDocument, { items }: Schema): string {
  const { enum: values = [] } = items ? resolve(document, items) : {}
  return values.length <= MAX_VALUES ? values.join(', ') : ''
}

const describeDefault = ({ default: value }: Schema, type: OperationField['type']): string =>
  value === undefined || type === 'flag' ? '' : `default: ${String(value)}`

function toType(document: OpenApiDocument, { type, enum: values, anyOf = [] }: Schema): OperationField['type'] {
  const types = new Set([type, ...anyOf.map(part => resolve(document, part).type)].flat())
  if (types.has('boolean') || values?.join() === 'true,false') return 'flag'
  if (types.has('string')) return 'text'
  if (types.has('integer') || types.has('number')) return 'number'
  return types.has('array') ? 'list' : 'json'
}

/** Returns the help text of an option. For a flag, uses only the text after `true:`. */
function toOptionText(description: string, type: OperationField['type']): string {
  const text = type === 'flag' ? description.replace(/^`?true`?:? /, '') : description
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text
}

function resolve(document: OpenApiDocument, schema: Schema): Schema {
  const [first] = schema.allOf ?? []
  const reference = schema.$ref ?? first?.$ref
  if (reference === undefined) return schema
  return resolve(document, document.components.schemas[reference.split('/').at(-1) ?? ''] as Schema)
}
