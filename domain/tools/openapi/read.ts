import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue, type Problem } from '../../shared/json/json.ts'
import { escapePointer } from '../../shared/json/json-pointer.ts'
import { createUniqueNamer } from '../names.ts'
import { PlainSchemas } from '../plain-schema.ts'
import type { HttpCall } from '../tool-call.ts'
import type { ToolEffect } from '../tool-spec.ts'
import { readArguments } from './parameters.ts'
import { parseDescription } from './parse.ts'
import { findServerUrl } from './servers.ts'

/** A tool made of one operation. */
export interface OperationTool {
  name: string
  description: string
  parameters: JsonSchema
  effect: ToolEffect
  http: HttpCall
}

export type DescribedTools = { tools: OperationTool[] } | { problems: Problem[] }

const MAX_TOOLS = 500
const MAX_PROBLEMS = 50
const MAX_DESCRIPTION_CHARS = 2_000
const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options'] as const
/** Effects by the semantics of HTTP methods (RFC 9110, 9.2). */
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
 * Converts each operation of an OpenAPI document, 3.0 to 3.2, to a tool. Lists problems by JSON pointer into the
 * document.
 * @param source the document, or its text in JSON or YAML
 * @param from `url`: source of the document; `server_url`: replaces the servers of the document
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
      report(pointers.operation, 'must name a server that can be called, or server_url must be set')
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
  return { pointer: '/openapi', message: 'must be a version of OpenAPI 3, such as 3.1.0' }
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
  return (text || fallback).slice(0, MAX_DESCRIPTION_CHARS)
}
