import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/shared/json/json.ts'
import type { HttpCall, Place } from '../../domain/tools/tool-call.ts'
import { invalidArgumentsError } from './errors.ts'

export interface PlacedArguments {
  path: string
  query: URLSearchParams
  headers: Record<string, string>
  body?: string
}

/**
 * Places validated arguments in the path, query, headers and body. Throws TOOL_ARGUMENTS_INVALID for arguments that
 * cannot be used there.
 */
export function placeArguments({ path, places, body }: HttpCall, args: JsonObject): PlacedArguments {
  const query = new URLSearchParams()
  const headers: Record<string, string> = {}
  const inPath = new Map<string, string>()
  for (const [argument, place] of Object.entries(places)) {
    const value = args[argument]
    if (value === undefined) continue
    if (place.in === 'path') inPath.set(place.name, segment(argument, simple(place, value)))
    else if (place.in === 'header') headers[place.name.toLowerCase()] = simple(place, value)
    else for (const [name, text] of serializeQuery(place, value)) query.append(name, text)
  }
  const placed: PlacedArguments = {
    path: path.replaceAll(/\{([^{}]+)\}/g, (whole, name: string) => inPath.get(name) ?? whole),
    query,
    headers,
  }
  const bodyValue = body && args[body.argument]
  if (!body || bodyValue === undefined) return placed
  headers['content-type'] = body.media_type
  return { ...placed, body: bodyText(body.media_type, bodyValue) }
}

/** Encodes a path segment. Rejects `..`, because servers resolve it even when it is percent-encoded. */
function segment(argument: string, text: string): string {
  if (text === '' || text === '.' || text === '..')
    throw invalidArgumentsError([{ pointer: `/${argument}`, message: 'must not be used as a path segment' }])
  return encodeURIComponent(text)
}

function simple({ style, explode }: Place, value: JsonValue): string {
  if (style === 'json') return JSON.stringify(value)
  if (Array.isArray(value)) return value.map(plain).join(',')
  if (typeof value !== 'object' || value === null) return plain(value)
  return Object.entries(value)
    .map(([key, inner]) => `${key}${explode ? '=' : ','}${plain(inner)}`)
    .join(',')
}

const SEPARATORS: Partial<Record<Place['style'], string>> = { form: ',', spaceDelimited: ' ', pipeDelimited: '|' }

function serializeQuery({ name, style, explode }: Place, value: JsonValue): [string, string][] {
  if (style === 'json') return [[name, JSON.stringify(value)]]
  if (Array.isArray(value))
    return explode ? value.map(item => [name, plain(item)]) : [[name, value.map(plain).join(SEPARATORS[style] ?? ',')]]
  if (typeof value !== 'object' || value === null) return [[name, plain(value)]]
  const entries = Object.entries(value).map(([key, inner]): [string, string] => [key, plain(inner)])
  if (style === 'deepObject') return entries.map(([key, text]) => [`${name}[${key}]`, text])
  return explode ? entries : [[name, entries.flat().join(',')]]
}

function bodyText(mediaType: NonNullable<HttpCall['body']>['media_type'], value: JsonValue): string {
  if (mediaType === 'application/json') return JSON.stringify(value)
  if (mediaType === 'text/plain') return plain(value)
  const fields = isJsonObject(value) ? value : {}
  const form = new URLSearchParams()
  for (const [name, field] of Object.entries(fields))
    for (const item of Array.isArray(field) ? field : [field]) form.append(name, plain(item))
  return form.toString()
}

const plain = (value: JsonValue): string =>
  typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value)
