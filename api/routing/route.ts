import { z } from 'zod'
import type { Principal } from '../../domain/access/principal.ts'
import type { Idempotency } from '../../services/shared/idempotency.ts'
import type { Tag } from '../openapi/tags.ts'
import type { Authentication, RouteAccess } from './access.ts'
import { withBrainId } from './brain-id.ts'
import type { Reply } from './reply.ts'
import type { AppContext } from './state.ts'
import type { Caller } from '../../services/access/callers.ts'

/**
 * `read`: changes nothing and starts no work. `stop`: ends or pauses work, or takes access away. `write`: all else; refused
 * after the end of a trial and when the included spend is used.
 */
export type Effect = 'read' | 'write' | 'stop'

/** A documented response. Its media type is JSON unless another one is given. */
export interface ResponseSpec {
  description: string
  schema?: z.ZodType
  mediaType?: string
  /** Other media types of the response, all text. */
  textTypes?: readonly string[]
}

/** A route, as the router serves it and the OpenAPI document describes it. */
export interface Route {
  /** The `operationId`, which names the method of generated clients: `jobs.cancel`. */
  name: `${string}.${string}`
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  effect: Effect
  /** Koa form: `/v1/jobs/:jobId`. */
  path: `/v1${string}`
  summary: string
  description?: string
  tag: Tag
  access: RouteAccess
  /** Whether the OpenAPI document has the route. */
  isPublished: boolean
  /** Whether the document marks it as `x-internal`: it can change. By default, routes that take only sessions are. */
  isInternal: boolean
  params: z.ZodObject
  /** The accepted parameters. Others are refused. */
  query: z.ZodObject
  /** No body means the same as an empty object. Bodies have the field `brain_id`, except for GET and DELETE. */
  body: z.ZodObject
  /**
   * Set for a route that takes a document: as JSON in the shape of `body`, or as multipart/form-data in this shape. The
   * contents are Uploads in both. The size limit is that of documents, or of audio with `audio`.
   */
  form?: z.ZodObject
  /** Set for a route that also takes several bodies, as JSON in this shape: an object with the field `documents`. */
  batch?: z.ZodObject
  /** The JSON body carries audio as an Upload. The size limit is that of audio. */
  audio?: boolean
  /** The JSON body may carry the text of an artifact, whose size limit is that of artifacts. */
  text?: boolean
  /** The body may have any media type; the handler gets its bytes. Any query parameters are accepted, too. */
  raw?: boolean
  /** Takes an `Idempotency-Key`. */
  idempotent: boolean
  /** Takes an `If-Match`. */
  conditional: boolean
  responses: Record<number, ResponseSpec>
  handler: (request: RouteRequest<unknown, unknown, unknown, Authentication>) => Promise<Reply>
}

/** A checked request, as a handler receives it. The `brain_id` of the body is the brain context of the principal. */
export interface RouteRequest<P, Q, B, A extends Authentication> {
  caller: A extends 'required' ? Caller : Caller | undefined
  /** That of the caller, with the brain context of the request. */
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

/** Whether a route takes sessions only. */
const takesSessionsOnly = ({ credentials }: RouteAccess) =>
  credentials.length > 0 && credentials.every(kind => kind === 'session')

/** Whether requests with the method have a body. Others may send an empty object. */
export const takesBody = (method: Route['method']): boolean => method !== 'get' && method !== 'delete'

/** Declares a route once: the router serves it and the OpenAPI document describes it from the same schemas. */
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
