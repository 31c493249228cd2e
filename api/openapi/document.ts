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

/** The place of the named schemas. */
const SCHEMAS = '#/components/schemas/'

const ABOUT = `Runs pathways: graphs of automated steps and human interventions. A run may take hours or weeks.

Send your API key as \`Authorization: Bearer <key>\`. Starting a run returns 202 with a \`job_id\`; poll the job, or follow
its stream. A request works in a brain: that of \`X-Brain-Id\`, that of \`brain_id\` in the body, or the default brain of the
key. Lists take \`limit\` and \`offset\`. Unknown query parameters and body
fields are refused with 400, and so are texts with U+0000 or an unpaired surrogate, and objects with the key
\`__proto__\`. Requests are counted per credential; every response has \`X-RateLimit-Limit\`,
\`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\`. Errors are \`{message, code}\`, with \`details\` that list each problem.

\`x-idempotent\` of an operation says whether a request may be repeated after a lost response. \`safe\`: it changes nothing.
\`key\`: with the same \`Idempotency-Key\`. \`no\`: it may take effect twice.`

const LICENSE = { name: 'Apache-2.0', identifier: 'Apache-2.0' }

const BRAIN_HEADER =
  'Id of the brain to work in. Reads then see what belongs to it and to the workspace. Default: the default brain of the API key, where new things belong and where listings, searches and runs look.'

/** Builds the OpenAPI 3.1 document of the routes from the schemas that check their requests. */
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

/** The groups of the routes, in the order of the table. */
function listTags(routes: Route[]) {
  const usedTags = new Set<string>(routes.map(route => route.tag))
  return Object.entries(TAGS).flatMap(([name, description]) => (usedTags.has(name) ? [{ name, description }] : []))
}

/** Whether a client may repeat a request without a second effect: always, with an `Idempotency-Key`, or not. */
const describeRepeats = ({ effect, idempotent }: Route): 'safe' | 'key' | 'no' =>
  effect === 'read' ? 'safe' : idempotent ? 'key' : 'no'

const SECURITY_SCHEMES = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key, or the JWT of the signed-in user next to a publishable key',
  },
  session: { type: 'apiKey', in: 'cookie', name: SESSION_COOKIE, description: 'The session of a signed-in user' },
  publishableKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Publishable-Key',
    description: 'Together with the JWT of the signed-in user as bearer token',
  },
  shareToken: { type: 'apiKey', in: 'query', name: 't', description: 'Also as the field `t` of the body' },
} as const

const SECURITY: Record<CredentialKind, Record<string, string[]>> = {
  api_key: { apiKey: [] },
  session: { session: [] },
  publishable_key: { publishableKey: [], apiKey: [] },
  share_token: { shareToken: [] },
  // Only the MCP server takes these, which is not described here.
  access_token: {},
}

/** Any one of the requirements is enough; an empty one stands for no credential. */
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

/** The body of a route that takes any media type. */
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
            'Repeating the request with the same key and body returns the same response for 24 hours',
            { pattern: IDEMPOTENCY_KEY.source },
          ),
        }
      : {}),
    ...(conditional
      ? {
          'If-Match': text(
            'The expected current version. The request fails with 409 if the resource is at another version.',
            { pattern: IF_MATCH },
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
  431: ['HeadersTooLarge', 'The headers, with the path and the query, are longer than 16 KB'],
  429: ['TooManyRequests', 'Too many requests. Retry after `retryAfter` seconds.'],
  500: ['InternalError', 'Internal error'],
  503: ['Unavailable', 'A component is unavailable. Retry after `retryAfter` seconds.'],
}

/** Statuses of errors that say when to retry. */
const SAYS_WHEN = new Set([429, 503])

function registerErrors(registry: OpenAPIRegistry): void {
  const content = { [JSON_TYPE]: { schema: { $ref: `${SCHEMAS}Error` } } }
  for (const [status, [name, description]] of Object.entries(ERRORS)) {
    registry.registerComponent('responses', name, { description, ...listHeaders(Number(status)), content })
  }
}

/** Long headers are refused before the request is counted. */
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
  if (name === undefined) throw new Error(`no response is described for the status ${status}`)
  return { $ref: `#/components/responses/${name}` }
}

const TEXT_BODY = z.string()

function response({ description, schema, mediaType = JSON_TYPE, textTypes = [] }: ResponseSpec) {
  const texts = Object.fromEntries(textTypes.map(type => [type, { schema: TEXT_BODY }]))
  return { description, headers: limitHeaders, ...(schema && { content: { [mediaType]: { schema }, ...texts } }) }
}

const integer = (minimum: number) => ({ type: 'integer' as const, minimum })

/** The headers of every response, and that of a response which may succeed later: component name, header, description. */
const LIMITS = [
  [
    'RateLimitLimit',
    'X-RateLimit-Limit',
    'Requests that the credential, or the address without one, may send in a minute',
  ],
  ['RateLimitRemaining', 'X-RateLimit-Remaining', 'Requests that are left in the present window'],
  ['RateLimitReset', 'X-RateLimit-Reset', 'Unix time in seconds at which the window ends'],
] as const
const RETRY = ['RetryAfter', 'Retry-After', 'Seconds to wait before a retry'] as const

const referTo = (headers: readonly (readonly [component: string, header: string, description: string])[]) =>
  Object.fromEntries(headers.map(([component, header]) => [header, { $ref: `#/components/headers/${component}` }]))

/** References to the headers of every response. */
const limitHeaders = referTo(LIMITS)

/** The same for statuses that say when to retry. */
const retryHeaders = referTo([...LIMITS, RETRY])

function registerLimitHeaders(registry: OpenAPIRegistry): void {
  for (const [component, , description] of [...LIMITS, RETRY])
    registry.registerComponent('headers', component, { description, required: true, schema: integer(0) })
}
