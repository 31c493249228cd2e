import { z } from 'zod'
import type { Principal } from '../../domain/access/principal.ts'
import type { Idempotency } from '../../services/shared/idempotency.ts'
import type { Tag } from '../openapi/tags.ts'
import type { Authentication, RouteAccess } from './access.ts'
import { type BodySchema, withBrainId } from './brain-id.ts'
import type { Reply } from './reply.ts'
import type { AppContext } from './state.ts'
import type { Caller } from '../../services/access/callers.ts'

/**
 * `read`: changes nothing and starts no work. `stop`: ends or pauses work, or removes access. `write`: everything
 * else. Writes are rejected if the trial has ended or the included spend is used up.
 */
export type Effect = 'read' | 'write' | 'stop'

/** A documented response. Its default media type is JSON. */
export interface ResponseSpec {
  description: string
  schema?: z.ZodType
  mediaType?: string
  /** Other text media types that the response may have. */
  textTypes?: readonly string[]
}

/** A route, served by the router and described in the OpenAPI document. */
export interface Route {
  /** The `operationId`, which also names the method in generated clients: `jobs.cancel`. */
  name: `${string}.${string}`
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  effect: Effect
  /** Path in Koa's syntax: `/v1/jobs/:jobId`. */
  path: `/${'v1' | 'scim/v2'}${string}`
  summary: string
  description?: string
  tag: Tag
  access: RouteAccess
  /** Whether the OpenAPI document contains the route. */
  isPublished: boolean
  /**
   * Whether the document marks the route as `x-internal`, so that it may change. Default: true for session-only
   * routes.
   */
  isInternal: boolean
  params: z.ZodObject
  /** Accepted query parameters. Others are rejected. */
  query: z.ZodObject
  /** A missing body is treated as an empty object. Bodies have the field `brain_id`, except for GET and DELETE. */
  body: BodySchema
  /**
   * Set for a route that accepts a document, either as JSON that matches `body` or as multipart/form-data that
   * matches this schema. In both cases the contents are Uploads. The size limit is the limit for documents, or for
   * audio if `audio` is set.
   */
  form?: BodySchema
  /**
   * Set for a route that also accepts a batch of bodies, as JSON that matches this schema: an object with the field
   * `documents`.
   */
  batch?: BodySchema
  /** The JSON body contains audio as an Upload. The size limit for audio applies. */
  audio?: boolean
  /** The JSON body may contain the text of an artifact. The size limit for artifacts applies. */
  text?: boolean
  /** The body may have any media type, and the handler receives its bytes. Any query parameters are accepted. */
  raw?: boolean
  /** Accepts an `Idempotency-Key`. */
  idempotent: boolean
  /** Accepts an `If-Match` header. */
  conditional: boolean
  responses: Record<number, ResponseSpec>
  handler: (request: RouteRequest<unknown, unknown, unknown, Authentication>) => Promise<Reply>
}

/** A validated request for a handler. `brain_id` in the body has already set the principal's brain. */
export interface RouteRequest<P, Q, B, A extends Authentication> {
  caller: A extends 'required' ? Caller : Caller | undefined
  /** The caller's principal, with the request's brain. */
  principal: A extends 'required' ? Principal : Principal | undefined
  params: P
  query: Q
  body: B
  idempotency?: Idempotency
  ctx: AppContext
}

const none = z.object({})
const empty = z.strictObject({}, 'must be empty')
type None = typeof none

interface RouteDefinition<
  A extends Authentication,
  P extends z.ZodObject,
  Q extends z.ZodObject,
  B extends z.ZodType,
  F extends z.ZodType,
  M extends z.ZodType,
> {
  name: Route['name']
  method: Route['method']
  /** Default: `read` for GET, `write` for other methods. */
  effect?: Effect
  path: Route['path']
  summary: string
  description?: string
  tag: Tag
  access: RouteAccess<A>
  isPublished?: boolean
  isInternal?: boolean
  params?: P
  query?: Q
  body?: B
  form?: F
  batch?: M
  audio?: boolean
  text?: boolean
  raw?: boolean
  idempotent?: boolean
  conditional?: boolean
  responses: Route['responses']
  handler: (
    request: RouteRequest<z.output<P>, z.output<Q>, z.output<B> | z.output<F> | z.output<M>, A>,
  ) => Promise<Reply>
}

/** Whether a route accepts only sessions. */
const takesSessionsOnly = ({ credentials }: RouteAccess) =>
  credentials.length > 0 && credentials.every(kind => kind === 'session')

/** Whether requests with this method have a body. For other methods, only an empty object is accepted. */
export const takesBody = (method: Route['method']): boolean => method !== 'get' && method !== 'delete'

/** Declares a route once, so that the router and the OpenAPI document use the same schemas. */
export function defineRoute<
  A extends Authentication,
  P extends z.ZodObject = None,
  Q extends z.ZodObject = None,
  B extends z.ZodType = z.ZodUndefined,
  F extends z.ZodType = z.ZodNever,
  M extends z.ZodType = z.ZodNever,
>(definition: RouteDefinition<A, P, Q, B, F, M>): Route {
  const { method, params = none, query = none, body, form, batch, raw } = definition
  return {
    effect: method === 'get' ? 'read' : 'write',
    idempotent: false,
    conditional: false,
    isPublished: true,
    isInternal: takesSessionsOnly(definition.access),
    ...definition,
    params,
    query: raw ? query.loose() : query.strict(),
    body: takesBody(method) ? withBrainId(body ?? none.strict()) : empty,
    form: form && withBrainId(form),
    batch: batch && withBrainId(batch),
    handler: definition.handler as Route['handler'],
  }
}
