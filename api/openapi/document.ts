import { OpenAPIRegistry, OpenApiGeneratorV31 } from '@asteasolutions/zod-to-openapi'
import { z } from 'zod'
import { pathwaySchemas } from '../../domain/pathways/json-schema.ts'
import type { CredentialKind } from '../../domain/access/permissions.ts'
import { SESSION_COOKIE } from '../credentials/session-cookie.ts'
import type { RouteAccess } from '../routing/access.ts'
import { IDEMPOTENCY_KEY } from '../middleware/idempotency.ts'
import { IF_MATCH } from '../routing/if-match.ts'
import { type Route, type ResponseSpec, takesBody } from '../routing/route.ts'
import { listErrorStatuses } from '../routing/steps.ts'
import { removeFlags } from './patterns.ts'
import { makePortable } from './portable-schemas.ts'
import { TAGS } from './tags.ts'

export type OpenApiDocument = ReturnType<OpenApiGeneratorV31['generateDocument']>

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'multipart/form-data'

/** JSON pointer to the named schemas. */
const SCHEMAS = '#/components/schemas/'

const ABOUT = `Ganglion runs pathways (workflows): graphs of automated steps and interventions (human tasks). A run may take
hours or weeks.

Send your API key as \`Authorization: Bearer <key>\`. To start a run, send a request that returns 202 with a \`job_id\`. Then
poll the job or follow its stream. Every request works in one brain (project). Select it with \`X-Brain-Id\` or with
\`brain_id\` in the body. Otherwise, the default brain of the key is used.

Lists accept \`limit\` and \`offset\`. Unknown query parameters and body fields return 400. So do texts that contain U+0000 or
an unpaired surrogate, and objects with the key \`__proto__\`. Errors have the form \`{message, code}\`, with \`details\` that
list each problem. Requests are counted per credential. Every response contains \`X-RateLimit-Limit\`,
\`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\`.

\`x-idempotent\` of an operation shows whether you can repeat a request after a lost response. \`safe\`: always, because the
request changes nothing. \`key\`: with the same \`Idempotency-Key\`. \`no\`: the request may take effect twice.`

const LICENSE = { name: 'Apache-2.0', identifier: 'Apache-2.0' }

const BRAIN_HEADER =
  'Id of the brain (project) to work in. Reads include resources of this brain and of the workspace. Default: the default brain of the API key, which is used for new resources, lists, searches and runs.'

/** Builds the OpenAPI 3.1 document of the routes from the schemas that validate their requests. */
export function buildOpenApiDocument(routes: Route[], info: { version: string; baseUrl?: string }): OpenApiDocument {
  const registry = new OpenAPIRegistry()
  for (const [name, scheme] of Object.entries(SECURITY_SCHEMES))
    registry.registerComponent('securitySchemes', name, scheme)
  for (const [name, schema] of Object.entries(pathwaySchemas(SCHEMAS)))
    registry.registerComponent('schemas', name, schema)
  registerLimitHeaders(registry)
  registerErrors(registry)
  const published = routes.filter(({ isPublished }) => isPublished)
  for (const route of published) registerRoute(registry, route)
  const document = new OpenApiGeneratorV31(registry.definitions).generateDocument({
    openapi: '3.1.0',
    info: { title: 'Ganglion', version: info.version, description: ABOUT, license: LICENSE },
    servers: [{ url: info.baseUrl ?? '/' }],
    tags: listTags(published),
  })
  removeFlags(document)
  makePortable(document)
  return document
}

function registerRoute(registry: OpenAPIRegistry, route: Route): void {
  const { name, method, path, summary, description, tag, access, params, query } = route
  registry.registerPath({
    method,
    path: path.replaceAll(/:(\w+)/g, '{$1}'),
    operationId: name,
    'x-idempotent': describeRepeats(route),
    ...(route.isInternal && { 'x-internal': true }),
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

/** Returns the tags of the routes in the order of the table. */
function listTags(routes: Route[]) {
  const usedTags = new Set<string>(routes.map(route => route.tag))
  return Object.entries(TAGS).flatMap(([name, description]) => (usedTags.has(name) ? [{ name, description }] : []))
}

/**
 * Returns whether a client may repeat a request without causing a second effect: always, with an `Idempotency-Key`,
 * or never.
 */
const describeRepeats = ({ effect, idempotent }: Route): 'safe' | 'key' | 'no' =>
  effect === 'read' ? 'safe' : idempotent ? 'key' : 'no'

const SECURITY_SCHEMES = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'API key, or the JWT of the signed-in user together with a publishable key',
  },
  session: { type: 'apiKey', in: 'cookie', name: SESSION_COOKIE, description: 'Session of a signed-in user' },
  publishableKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Publishable-Key',
    description: 'Send it together with the JWT of the signed-in user as bearer token',
  },
  shareToken: { type: 'apiKey', in: 'query', name: 't', description: 'Also accepted as the body field `t`' },
} as const

const SECURITY: Record<CredentialKind, Record<string, string[]>> = {
  api_key: { apiKey: [] },
  session: { session: [] },
  publishable_key: { publishableKey: [], apiKey: [] },
  share_token: { shareToken: [] },
  // Only the MCP server accepts access tokens, and it is not part of this document.
  access_token: {},
}

/** Lists alternative requirements, of which one is enough. An empty requirement means that no credential is needed. */
const listSecurity = ({ authentication, credentials }: RouteAccess) => [
  ...credentials.map(kind => SECURITY[kind]),
  ...(authentication === 'optional' ? [{}] : []),
]

function requestBody({ method, body, form, batch, raw }: Route) {
  if (!takesBody(method)) return undefined
  if (raw) return { content: RAW_CONTENT }
  const required = !body.safeParse({}).success || body.meta()?.required !== undefined
  return {
    required,
    content: {
      [JSON_TYPE]: { schema: batch ? z.union([body, batch]) : body },
      ...(form && { [FORM_TYPE]: { schema: form } }),
    },
  }
}

/** The body of a route that accepts any media type. */
const RAW_CONTENT = { '*/*': { schema: z.string().meta({ format: 'binary' }) } }

function buildHeaders({ access, idempotent, conditional }: Route): z.ZodObject {
  const text = (description: string, form: { format: string } | { pattern: string }) =>
    z
      .string()
      .optional()
      .meta({ description, ...form })
  return z.object({
    ...(access.authentication === 'none' ? {} : { 'X-Brain-Id': text(BRAIN_HEADER, { format: 'uuid' }) }),
    ...(idempotent
      ? {
          'Idempotency-Key': text(
            'Repeating the request with the same key and body within 24 hours returns the same response',
            { pattern: IDEMPOTENCY_KEY.source },
          ),
        }
      : {}),
    ...(conditional
      ? {
          'If-Match': text(
            'Expected current version. The request fails with 409 if the resource is at another version.',
            { pattern: IF_MATCH },
          ),
        }
      : {}),
  })
}

/** Error responses shared by all routes, by status: component name and description. */
const ERRORS: Record<number, [name: string, description: string]> = {
  400: ['InvalidRequest', 'The request is invalid. `details` lists each problem with a JSON pointer.'],
  401: ['Unauthenticated', 'Missing or invalid credentials'],
  403: ['Forbidden', "The caller doesn't have the required permission"],
  404: ['NotFound', "The resource does not exist in the caller's workspace"],
  408: ['BodyTimeout', 'The body took too long to arrive'],
  409: ['Conflict', 'The request conflicts with the current state'],
  413: ['BodyTooLarge', 'The body is too large'],
  415: ['UnsupportedMediaType', 'The media type of the body, or of a document in it, is not supported'],
  431: ['HeadersTooLarge', 'The headers, including path and query, are longer than 16 KB'],
  429: ['TooManyRequests', 'Too many requests. Retry after `retryAfter` seconds.'],
  500: ['InternalError', 'Internal error'],
  503: ['Unavailable', 'A component is unavailable. Retry after `retryAfter` seconds.'],
}

/** Statuses of errors that contain a time to wait before a retry. */
const SAYS_WHEN = new Set([429, 503])

function registerErrors(registry: OpenAPIRegistry): void {
  const content = { [JSON_TYPE]: { schema: { $ref: `${SCHEMAS}Error` } } }
  for (const [status, [name, description]] of Object.entries(ERRORS)) {
    registry.registerComponent('responses', name, { description, ...listHeaders(Number(status)), content })
  }
}

/**
 * Lists the response headers for a status. A 431 has no rate limit headers, because long headers are rejected before
 * the request is counted.
 */
function listHeaders(status: number) {
  if (status === 431) return {}
  return { headers: SAYS_WHEN.has(status) ? retryHeaders : limitHeaders }
}

function buildResponses(route: Route) {
  const namesResource = Object.keys(route.params.shape).length > 0
  const errors = listErrorStatuses({ ...route, namesResource }).map(status => [status, referToError(status)])
  const ownResponses = Object.entries(route.responses).map(([status, spec]) => [status, response(spec)])
  return Object.fromEntries([...errors, ...ownResponses])
}

function referToError(status: number) {
  const [name] = ERRORS[status] ?? []
  if (name === undefined) throw new Error(`missing response description for status ${status}`)
  return { $ref: `#/components/responses/${name}` }
}

const TEXT_BODY = z.string()

function response({ description, schema, mediaType = JSON_TYPE, textTypes = [] }: ResponseSpec) {
  const texts = Object.fromEntries(textTypes.map(type => [type, { schema: TEXT_BODY }]))
  return { description, headers: limitHeaders, ...(schema && { content: { [mediaType]: { schema }, ...texts } }) }
}

const integer = (minimum: number) => ({ type: 'integer' as const, minimum })

/** Headers in every response, and the retry header: component name, header, description. */
const LIMITS = [
  [
    'RateLimitLimit',
    'X-RateLimit-Limit',
    'Maximum number of requests per minute for the credential, or for the address if there is no credential',
  ],
  ['RateLimitRemaining', 'X-RateLimit-Remaining', 'Remaining requests in the current window'],
  ['RateLimitReset', 'X-RateLimit-Reset', 'End of the current window in Unix time (seconds)'],
] as const
const RETRY = ['RetryAfter', 'Retry-After', 'Seconds to wait before a retry'] as const

const referTo = (headers: readonly (readonly [component: string, header: string, description: string])[]) =>
  Object.fromEntries(headers.map(([component, header]) => [header, { $ref: `#/components/headers/${component}` }]))

/** References to the headers of every response. */
const limitHeaders = referTo(LIMITS)

/** References to the headers in every response, and to the retry header. */
const retryHeaders = referTo([...LIMITS, RETRY])

function registerLimitHeaders(registry: OpenAPIRegistry): void {
  for (const [component, , description] of [...LIMITS, RETRY])
    registry.registerComponent('headers', component, { description, required: true, schema: integer(0) })
}
