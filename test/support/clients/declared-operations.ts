import { allowAll, allowReaders } from '../../../api/routing/access.ts'
import { listErrorStatuses } from '../../../api/routing/steps.ts'
import { KEY_PERMISSIONS } from '../../../domain/access/permissions.ts'
import type { ApiClient } from './client.ts'
import type { Schema } from './schema-limits.ts'

/** An operation in the OpenAPI document, with its error statuses. */
export interface DeclaredOperation {
  /** For example `POST /v1/jobs/{jobId}/cancel`. */
  name: string
  method: string
  path: string
  pathParameters: string[]
  isIdempotent: boolean
  isConditional: boolean
  errorStatuses: number[]
  /** The error statuses of the handler itself, excluding those from earlier steps of the route. */
  handlerStatuses: number[]
  /** The schema of the JSON body, if the operation has one. */
  body?: Schema
  isBodyRequired: boolean
  /** Whether an ordinary API key may call the operation. */
  isOfKeys: boolean
}

interface OperationDocument {
  parameters?: { name: string; in: string }[]
  requestBody?: { required?: boolean; content: { 'application/json': { schema: Schema }; [mediaType: string]: object } }
  responses: Record<string, object>
  security?: object[]
  'x-idempotent': 'safe' | 'key' | 'no'
  'x-permission'?: string
  'x-internal'?: true
}

export interface OpenApiDocument {
  paths: Record<string, Record<string, OperationDocument>>
}

/** Lists the operations in the API's OpenAPI document, except those for signed-in people. */
export async function readOperations(client: ApiClient): Promise<DeclaredOperation[]> {
  const { body } = await client.get<OpenApiDocument & Record<string, unknown>>('/v1/openapi.json')
  return Object.entries(body.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, declared]) => !declared['x-internal'])
      .map(([method, declared]) => readOperation(method, path, declared)),
  )
}

/**
 * Lists the operations that an ordinary API key may call: no public operations, and none that require an individually
 * granted permission.
 */
export const readKeyOperations = async (client: ApiClient): Promise<DeclaredOperation[]> =>
  (await readOperations(client)).filter(({ isOfKeys }) => isOfKeys)

function readOperation(method: string, path: string, declared: OperationDocument): DeclaredOperation {
  const { parameters = [], requestBody, responses, security = [] } = declared
  const names = (place: string) => parameters.filter(parameter => parameter.in === place).map(({ name }) => name)
  const [isIdempotent, isConditional] = ['Idempotency-Key', 'If-Match'].map(name => names('header').includes(name))
  const errorStatuses = Object.keys(responses)
    .map(Number)
    .filter(status => status >= 400)
  const isRaw = requestBody !== undefined && '*/*' in requestBody.content
  const derived = listErrorStatuses({
    method: method as 'get',
    access: security.length > 0 ? allowReaders(null) : allowAll,
    effect: declared['x-idempotent'] === 'safe' ? 'read' : 'write',
    idempotent: isIdempotent === true,
    conditional: isConditional === true,
    raw: isRaw,
    namesResource: names('path').length > 0,
  })
  return {
    name: `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path,
    pathParameters: names('path'),
    isIdempotent: isIdempotent === true,
    isConditional: isConditional === true,
    errorStatuses,
    handlerStatuses: errorStatuses.filter(status => !derived.includes(status)),
    // A body that may have any type has no fields.
    body: isRaw ? undefined : requestBody?.content['application/json'].schema,
    isBodyRequired: requestBody?.required === true,
    isOfKeys: isPermitted(declared) && (security.length === 0 || security.some(requirement => 'apiKey' in requirement)),
  }
}

const isPermitted = ({ 'x-permission': permission }: OperationDocument): boolean =>
  permission === undefined || KEY_PERMISSIONS.some(candidate => candidate === permission)
