import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from '../../shared/json/json.ts'
import type { PlainSchemas } from '../plain-schema.ts'
import type { HttpCall, Place } from '../tool-call.ts'
import { cut } from '../../shared/text/shorten.ts'

/** Arguments of an operation: their schema, and their locations in the request. */
export interface Arguments {
  parameters: JsonSchema
  places: Record<string, Place>
  body?: HttpCall['body']
}

interface Parameter {
  name: string
  in: string
  value: JsonObject
  pointer: string
}

const STYLES: Record<string, Place['style'][]> = {
  path: ['simple'],
  header: ['simple'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
}
/** Headers that OpenAPI describes elsewhere. Credentials come from the tool collection's secrets. */
const IGNORED_HEADERS = new Set(['accept', 'content-type', 'authorization', 'cookie', 'host', 'idempotency-key'])
const BODY_TYPES = ['application/json', 'application/x-www-form-urlencoded', 'text/plain'] as const

/**
 * Reads the parameters and the body of an operation. The operation's parameters override the parameters of its path.
 */
export function readArguments(
  operation: JsonObject,
  pathItem: JsonObject,
  pointers: { operation: string; path: string },
  schemas: PlainSchemas,
): Arguments {
  const listed = [
    ...listParameters(pathItem.parameters, `${pointers.path}/parameters`, schemas),
    ...listParameters(operation.parameters, `${pointers.operation}/parameters`, schemas),
  ]
  const ownParameters = new Map(listed.map(parameter => [`${parameter.in} ${parameter.name}`, parameter]))
  const properties = new Map<string, JsonSchema>()
  const required: string[] = []
  const places: Record<string, Place> = {}

  const add = (name: string, schema: JsonSchema, isRequired: boolean): string => {
    let argument = name
    for (let n = 2; properties.has(argument); n++) argument = `${name}_${n}`
    properties.set(argument, schema)
    if (isRequired) required.push(argument)
    return argument
  }

  for (const { name, in: where, value, pointer } of ownParameters.values()) {
    if (!(where in STYLES) || (where === 'header' && IGNORED_HEADERS.has(name.toLowerCase()))) continue
    const isRequired = value.required === true || where === 'path'
    const argument = add(name, withDescription(readSchema(value, pointer, schemas), value.description), isRequired)
    places[argument] = readPlace(where as Place['in'], name, value)
  }
  const body = readBody(operation, pointers.operation, schemas, add)
  return {
    parameters: {
      type: 'object',
      properties: Object.fromEntries(properties),
      ...(required.length > 0 && { required }),
      additionalProperties: false,
    },
    places,
    ...(body && { body }),
  }
}

function listParameters(list: JsonValue | undefined, at: string, schemas: PlainSchemas): Parameter[] {
  if (!Array.isArray(list)) return []
  return list.slice(0, 200).flatMap((entry, i) => {
    const resolvedEntry = schemas.resolve(entry, `${at}/${i}`)
    if (!resolvedEntry) return []
    const { name, in: where } = resolvedEntry.value
    if (typeof name !== 'string' || name === '' || name.length > 200 || typeof where !== 'string') return []
    return [{ name, in: where, ...resolvedEntry }]
  })
}

/** Reads the schema of a parameter from `schema` or from a JSON media type in `content`. */
function readSchema(parameter: JsonObject, pointer: string, schemas: PlainSchemas): JsonSchema {
  const json = findJsonContent(parameter)
  if (json) return schemas.read(json.schema ?? {}, `${pointer}/content/${json.at}/schema`)
  return schemas.read(parameter.schema ?? {}, `${pointer}/schema`)
}

function readPlace(where: Place['in'], name: string, parameter: JsonObject): Place {
  if (findJsonContent(parameter)) return { in: where, name, style: 'json', explode: false }
  const styles = STYLES[where] as [Place['style'], ...Place['style'][]]
  const style = styles.find(each => each === parameter.style) ?? styles[0]
  const explode = typeof parameter.explode === 'boolean' ? parameter.explode : style === 'form'
  return { in: where, name, style, explode }
}

function findJsonContent({ content }: JsonObject): { schema?: JsonValue; at: string } | undefined {
  if (!isJsonObject(content)) return undefined
  const type = Object.keys(content).find(isJson)
  const media = type === undefined ? undefined : content[type]
  return isJsonObject(media) ? { schema: media.schema, at: String(type).replaceAll('/', '~1') } : undefined
}

function readBody(
  { requestBody }: JsonObject,
  at: string,
  schemas: PlainSchemas,
  add: (name: string, schema: JsonSchema, required: boolean) => string,
): HttpCall['body'] {
  const resolvedBody = requestBody === undefined ? undefined : schemas.resolve(requestBody, `${at}/requestBody`)
  const { content } = resolvedBody?.value ?? {}
  if (!resolvedBody || !isJsonObject(content)) return undefined
  const types = Object.keys(content)
  const media_type = BODY_TYPES.find(type =>
    types.some(contentType => parseMediaType(contentType) === type || (isJson(contentType) && isJson(type))),
  )
  const contentType = types.find(type => parseMediaType(type) === media_type) ?? types.find(isJson)
  const media = contentType === undefined ? undefined : content[contentType]
  if (!media_type || contentType === undefined || !isJsonObject(media)) return undefined
  const pointer = `${resolvedBody.pointer}/content/${contentType.replaceAll('~', '~0').replaceAll('/', '~1')}/schema`
  const schema = withDescription(schemas.read(media.schema ?? {}, pointer), resolvedBody.value.description)
  return { argument: add('body', schema, resolvedBody.value.required === true), media_type }
}

const parseMediaType = (type: string): string => (type.split(';', 1)[0] ?? '').trim().toLowerCase()
const isJson = (type: string): boolean =>
  /^application\/(?:[\w.+-]+\+)?json$/.test(parseMediaType(type)) || parseMediaType(type) === '*/*'

const withDescription = (schema: JsonSchema, description: JsonValue | undefined): JsonSchema =>
  typeof description === 'string' && description !== '' ? { ...schema, description: cut(description, 1_000) } : schema
