import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue, type Problem } from '../../shared/json/json.ts'
import { escapePointer } from '../../shared/json/json-pointer.ts'
import { createUniqueNamer } from '../names.ts'
import { PlainSchemas } from '../plain-schema.ts'
import type { HttpCall } from '../tool-call.ts'
import type { ToolEffect } from '../tool-spec.ts'
import { readArguments } from './parameters.ts'
import { load } from 'js-yaml'
import { cut } from '../../shared/text/shorten.ts'

/** A tool created from one operation. */
interface OperationTool {
  name: string
  description: string
  parameters: JsonSchema
  effect: ToolEffect
  http: HttpCall
}

type DescribedTools = { tools: OperationTool[] } | { problems: Problem[] }

const MAX_TOOLS = 500
const MAX_PROBLEMS = 50
const MAX_DESCRIPTION_CHARS = 2_000
const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options'] as const
/** Effects by HTTP method semantics (RFC 9110, 9.2). */
const EFFECTS: Record<(typeof METHODS)[number], ToolEffect> = {
  get: 'read',
  head: 'read',
  options: 'read',
  put: 'idempotent',
  delete: 'idempotent',
  post: 'write',
  patch: 'write',
}

/**
 * Converts each operation of an OpenAPI document (3.0 to 3.2) to a tool. Lists problems by JSON pointer into the
 * document.
 * @param source the document, or its text in JSON or YAML
 * @param from `url`: source of the document; `server_url`: overrides the servers of the document
 */
export function readOpenApi(source: unknown, from: { url?: string; server_url?: string } = {}): DescribedTools {
  const parsed = parseDescription(source)
  if ('problems' in parsed) return parsed
  const { document } = parsed
  const unfit = versionProblem(document)
  if (unfit) return { problems: [unfit] }
  const problems: Problem[] = []
  const report = (pointer: string, message: string): void => {
    if (problems.length < MAX_PROBLEMS) problems.push({ pointer, message })
  }
  const schemas = new PlainSchemas(document, report)
  const operations = listOperations(document, schemas)
  if (operations.length === 0) report('/paths', 'must describe at least one operation')
  if (operations.length > MAX_TOOLS)
    return {
      problems: [
        { pointer: '/paths', message: `must describe at most ${MAX_TOOLS} operations, not ${operations.length}` },
      ],
    }
  const nameFor = createUniqueNamer()
  const tools = operations.map(operation => {
    const { method, path, pathItem, value, pointers } = operation
    const { parameters, places, body } = readArguments(value, pathItem, pointers, schemas)
    const server = findServerUrl([value, pathItem, document], from.url)
    if (server === undefined && from.server_url === undefined)
      report(pointers.operation, 'must name a valid server URL, or server_url must be set')
    const http = {
      method: method.toUpperCase() as HttpCall['method'],
      path,
      ...(server && { server }),
      places,
      ...(body && { body }),
    }
    return {
      name: nameFor(readTrimmedText(value.operationId) || [method, ...path.split(/\W+/).filter(Boolean)].join('_')),
      description: buildDescription(value, `${http.method} ${path}`),
      parameters,
      effect: EFFECTS[method],
      http,
    }
  })
  return problems.length > 0 ? { problems } : { tools }
}

function versionProblem({ openapi, swagger }: JsonObject): Problem | undefined {
  if (typeof openapi === 'string' && /^3\.[012](?:\.|$)/.test(openapi)) return undefined
  if (swagger !== undefined) return { pointer: '/swagger', message: 'must be OpenAPI 3, not Swagger 2' }
  return { pointer: '/openapi', message: 'must be an OpenAPI 3 version, such as 3.1.0' }
}

interface Operation {
  method: (typeof METHODS)[number]
  path: string
  pathItem: JsonObject
  value: JsonObject
  pointers: { operation: string; path: string }
}

function listOperations({ paths }: JsonObject, schemas: PlainSchemas): Operation[] {
  if (!isJsonObject(paths)) return []
  return Object.entries(paths).flatMap(([path, entry]) => {
    if (!path.startsWith('/')) return []
    const item = schemas.resolve(entry, `/paths/${escapePointer(path)}`)
    if (!item) return []
    return METHODS.flatMap((method): Operation[] => {
      const value = item.value[method]
      if (!isJsonObject(value)) return []
      const pointers = { operation: `${item.pointer}/${method}`, path: item.pointer }
      return [{ method, path: path.slice(0, 2_000), pathItem: item.value, value, pointers }]
    })
  })
}

const readTrimmedText = (value: JsonValue | undefined): string => (typeof value === 'string' ? value.trim() : '')

function buildDescription({ summary, description }: JsonObject, fallback: string): string {
  const text = [...new Set([readTrimmedText(summary), readTrimmedText(description)])].filter(Boolean).join('\n\n')
  return cut(text || fallback, MAX_DESCRIPTION_CHARS)
}

/** Maximum characters of a JSON document. YAML takes ten times as long to parse, so its limit is lower. */
const MAX_JSON_CHARS = 2_000_000
const MAX_YAML_CHARS = 1_000_000
const MAX_DEPTH = 100

type ParseResult = { document: JsonObject } | { problems: Problem[] }

const refuseDocument = (message: string): ParseResult => ({ problems: [{ pointer: '', message }] })

/** Parses a document that is an object, or a text in JSON or YAML. */
function parseDescription(source: unknown): ParseResult {
  if (isJsonObject(source)) return { document: source }
  if (typeof source !== 'string') return refuseDocument('must be an OpenAPI document, as an object or as text')
  try {
    const document: unknown = /^\s*\{/.test(source) ? readJson(source) : readYaml(source)
    return isJsonObject(document) ? { document } : refuseDocument('must be an OpenAPI document')
  } catch (error) {
    const why = error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : ''
    return refuseDocument(`cannot be parsed: ${why.slice(0, 200)}`)
  }
}

function readJson(text: string): unknown {
  if (text.length > MAX_JSON_CHARS) throw new Error(`the document is longer than ${MAX_JSON_CHARS} characters`)
  return JSON.parse(text)
}

/** Parses YAML without aliases, because a few lines with aliases can exhaust the memory. */
function readYaml(text: string): unknown {
  if (text.length > MAX_YAML_CHARS)
    throw new Error(`the YAML document is longer than ${MAX_YAML_CHARS} characters; send JSON`)
  return load(text, { maxAliases: 0, maxDepth: MAX_DEPTH })
}

/**
 * Returns the URL of the first server in the innermost scope with servers, with default values for its variables.
 * Resolves a relative URL against `base`. Returns undefined if the URL is not http or https.
 */
function findServerUrl(scopes: JsonObject[], base: string | undefined): string | undefined {
  const [servers] = scopes.flatMap(({ servers }) => (Array.isArray(servers) && servers.length > 0 ? [servers] : []))
  const [first]: JsonValue[] = servers ?? (base === undefined ? [] : [{ url: '/' }])
  if (!isJsonObject(first) || typeof first.url !== 'string') return undefined
  const url = URL.parse(fillVariables(first.url, first.variables), base)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined
  return url.href.replace(/\/+$/, '')
}

const fillVariables = (url: string, variables: JsonValue | undefined): string =>
  url.replaceAll(/\{([^{}]+)\}/g, (whole, name: string) => {
    const variable = isJsonObject(variables) ? variables[name] : undefined
    return isJsonObject(variable) && typeof variable.default === 'string' ? variable.default : whole
  })
