import { OpenAPIRegistry, OpenApiGeneratorV31 } from '@asteasolutions/zod-to-openapi'
import { z } from 'zod'
import { pathwaySchemas } from '../../domain/pathway/json-schema.ts'
import type { CredentialKind } from '../../domain/access/permissions.ts'
import { SESSION_COOKIE } from '../credentials/session-cookie.ts'
import type { RouteAccess } from '../routing/access.ts'
import { type Route, type ResponseSpec, takesBody } from '../routing/route.ts'
import { listErrorStatuses } from '../routing/steps.ts'
import { removePatternFlags } from './patterns.ts'

export type OpenApiDocument = ReturnType<OpenApiGeneratorV31['generateDocument']>

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'multipart/form-data'

/** The place of the named schemas. */
const SCHEMAS = '#/components/schemas/'

const ABOUT = `Runs pathways: graphs of automated steps and human interventions. A run may take hours or weeks.

Send your API key as \`Authorization: Bearer <key>\`. Starting a run returns 202 with a \`job_id\`; poll the job, or follow
its stream. A request works in a brain: that of \`X-Brain-Id\`, that of \`brain_id\` in the body, or the default brain of the
key. Lists take \`limit\` and \`offset\`. Unknown query parameters and body
fields are refused with 400. Errors are \`{message, code}\`, with \`details\` that list each problem.`

const BRAIN_HEADER =
  'Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look.'

/** Builds the OpenAPI 3.1 document of the routes from the schemas that check their requests. */
export function buildOpenApiDocument(routes: Route[], info: { version: string; baseUrl?: string }): OpenApiDocument {
  const registry = new OpenAPIRegistry()
  for (const [name, scheme] of Object.entries(SECURITY_SCHEMES))
    registry.registerComponent('securitySchemes', name, scheme)
  for (const [name, schema] of Object.entries(pathwaySchemas(SCHEMAS)))
    registry.registerComponent('schemas', name, schema)
  registerErrors(registry)
  const published = routes.filter(({ isPublished }) => isPublished)
  for (const route of published) registerRoute(registry, route)
  const document = new OpenApiGeneratorV31(registry.definitions).generateDocument({
    openapi: '3.1.0',
    info: { title: 'Ganglion', version: info.version, description: ABOUT },
    servers: [{ url: info.baseUrl ?? '/' }],
    tags: [...new Set(published.map(route => route.tag))].map(name => ({ name })),
  })
  removePatternFlags(document)
  return document
}

function registerRoute(registry: OpenAPIRegistry, route: Route): void {
  const { name, method, path, summary, description, tag, access, params, query } = route
  registry.registerPath({
    method,
    path: path.replaceAll(/:(\w+)/g, '{$1}'),
    operationId: name,
    summary,
    description,
    tags: [tag],
    security: listSecurity(access),
    ...(access.permission && { 'x-permission': access.permission }),
    request: {
      params,
      query,
      headers: buildHeaders(route),
      body: requestBody(route),
    },
    responses: buildResponses(route),
  })
}

const SECURITY_SCHEMES = {
  apiKey: { type: 'http', scheme: 'bearer', description: 'An API key' },
  session: { type: 'apiKey', in: 'cookie', name: SESSION_COOKIE, description: 'The session of a signed-in user' },
  publishableKey: { type: 'apiKey', in: 'header', name: 'X-Publishable-Key', description: 'Together with `userToken`' },
  userToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'The JWT of the signed-in user' },
  shareToken: { type: 'apiKey', in: 'query', name: 't', description: 'Also as the field `t` of the body' },
} as const

const SECURITY: Record<CredentialKind, Record<string, string[]>> = {
  api_key: { apiKey: [] },
  session: { session: [] },
  publishable_key: { publishableKey: [], userToken: [] },
  share_token: { shareToken: [] },
}

/** Any one of the requirements is enough; an empty one stands for no credential. */
const listSecurity = ({ authentication, credentials }: RouteAccess) => [
  ...credentials.map(kind => SECURITY[kind]),
  ...(authentication === 'optional' ? [{}] : []),
]

function requestBody({ method, body, form, batch }: Route) {
  if (!takesBody(method)) return undefined
  const required = !body.safeParse({}).success || body.meta()?.required !== undefined
  return {
    required,
    content: {
      [JSON_TYPE]: { schema: batch ? z.union([body, batch]) : body },
      ...(form && { [FORM_TYPE]: { schema: form } }),
    },
  }
}

function buildHeaders({ access, idempotent, conditional }: Route): z.ZodObject {
  const text = (description: string) => z.string().optional().meta({ description })
  return z.object({
    ...(access.authentication === 'none' ? {} : { 'X-Brain-Id': text(BRAIN_HEADER) }),
    ...(idempotent
      ? {
          'Idempotency-Key': text(
            'Repeating the request with the same key and body returns the same response for 24 hours',
          ),
        }
      : {}),
    ...(conditional
      ? {
          'If-Match': text(
            'The expected current version. The request fails with 409 if the resource is at another version.',
          ),
        }
      : {}),
  })
}

/** The responses that all routes share, by status: the name of the component and its description. */
const ERRORS: Record<number, [name: string, description: string]> = {
  400: ['InvalidRequest', 'The request is invalid. `details` lists each problem with its place.'],
  401: ['Unauthenticated', 'Missing or invalid credentials'],
  403: ['Forbidden', 'The caller lacks the permission'],
  404: ['NotFound', 'Does not exist in the workspace of the caller'],
  408: ['BodyTimeout', 'The body took too long to arrive'],
  409: ['Conflict', 'Conflicts with the current state'],
  413: ['BodyTooLarge', 'The body is too large'],
  415: ['UnsupportedMediaType', 'The media type of the body, or of a document in it, is not supported'],
  429: ['TooManyRequests', 'Too many requests. Retry after `retryAfter` seconds.'],
  500: ['InternalError', 'Internal error'],
  503: ['Unavailable', 'A component is unavailable. Retry after `retryAfter` seconds.'],
}

function registerErrors(registry: OpenAPIRegistry): void {
  const content = { [JSON_TYPE]: { schema: { $ref: `${SCHEMAS}Error` } } }
  for (const [name, description] of Object.values(ERRORS))
    registry.registerComponent('responses', name, { description, content })
}

function buildResponses(route: Route) {
  const namesResource = Object.keys(route.params.shape).length > 0
  const errors = listErrorStatuses({ ...route, namesResource }).map(status => [status, referToError(status)])
  const own = Object.entries(route.responses).map(([status, spec]) => [status, response(spec)])
  return Object.fromEntries([...errors, ...own])
}

function referToError(status: number) {
  const [name] = ERRORS[status] ?? []
  if (name === undefined) throw new Error(`no response is described for the status ${status}`)
  return { $ref: `#/components/responses/${name}` }
}

function response({ description, schema, mediaType = JSON_TYPE }: ResponseSpec) {
  return { description, ...(schema && { content: { [mediaType]: { schema } } }) }
}
