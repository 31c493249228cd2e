/** The parts of an OpenAPI document that the generator uses. */
export interface OpenApiDocument {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

export interface Operation {
  operationId: string
  summary: string
  'x-idempotent': string
  parameters?: { name: string; in: string; required?: boolean }[]
  requestBody?: { required?: boolean; content: Record<string, object> }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

interface Schema {
  $ref?: string
  properties?: Record<string, Schema>
}

/** Return value of a client method: parsed JSON, a page of a list, a stream of events, or the unparsed response. */
export type AnswerKind = 'call' | 'page' | 'stream' | 'raw'

export interface ClientOperation {
  id: string
  /** First part of the operation id: `jobs` in `jobs.cancel`. */
  noun: string
  /** Second part of the operation id: `cancel` in `jobs.cancel`. */
  verb: string
  method: string
  path: string
  /** Whether a request may be repeated: `safe`, `key` or `no`. */
  repeats: string
  summary: string
  pathParameters: string[]
  /** Arguments that a call accepts in addition to path parameters. */
  takes: 'body' | 'query' | undefined
  isRequired: boolean
  answer: AnswerKind
}

/** Query parameters that callers don't pass: the transport adds the share token, and `share` is an alias of it. */
const OF_TRANSPORT = new Set(['t', 'share'])
/** Query parameter of streams that the stream reader adds. */
const POSITION = 'after'

/** Lists a document's operations by name. */
export function listOperations(document: OpenApiDocument): ClientOperation[] {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => describeOperation(document, method, path, operation)),
  )
  return operations.toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

function describeOperation(
  document: OpenApiDocument,
  method: string,
  path: string,
  operation: Operation,
): ClientOperation {
  const { operationId: id, parameters = [], requestBody, summary } = operation
  const [noun = '', verb = ''] = id.split('.')
  const answer = getAnswerKind(document, operation)
  const query = parameters.filter(
    ({ in: place, name }) =>
      place === 'query' && !OF_TRANSPORT.has(name) && !(answer === 'stream' && name === POSITION),
  )
  if (requestBody && query.length > 0)
    throw new Error(`${id} has both a body and a query, but the client supports only one argument`)
  const takes = requestBody ? 'body' : query.length > 0 ? 'query' : undefined
  return {
    id,
    noun,
    verb,
    method: method.toUpperCase(),
    path,
    repeats: operation['x-idempotent'],
    summary,
    pathParameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
    takes,
    isRequired: takes === 'body' ? requestBody?.required === true : query.some(parameter => parameter.required),
    answer,
  }
}

function getAnswerKind(document: OpenApiDocument, { responses }: Operation): AnswerKind {
  const { content = {} } = responses[200] ?? {}
  if (content['text/event-stream']) return 'stream'
  const json = content['application/json']
  if (!json) return Object.keys(content).length > 0 ? 'raw' : 'call'
  const { properties = {} } = resolve(document, json.schema)
  return (properties['pagination'] && properties['data']) || properties['jobs'] ? 'page' : 'call'
}

function resolve({ components }: OpenApiDocument, schema: Schema): Schema {
  return schema.$ref ? (components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}) : schema
}
