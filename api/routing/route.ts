import { z } from 'zod'
import type { Principal } from '../../domain/principal.ts'
import type { Idempotency } from '../../services/jobs/types.ts'
import type { Reply } from './reply.ts'
import type { AppContext } from './state.ts'

/** `key`: needs an API key. `optional`: looks at one if it is sent. `none`: open to all. */
export type Auth = 'key' | 'optional' | 'none'

/** A documented answer: a JSON schema by default, or another media type. */
export interface ResponseSpec {
  description: string
  schema?: z.ZodType
  mediaType?: string
}

/** Everything known about a route, for the router and the OpenAPI document alike. */
export interface Route {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** Koa form: `/v1/jobs/:jobId`. */
  path: `/v1${string}`
  summary: string
  description?: string
  tag: string
  auth: Auth
  params: z.ZodObject
  /** Takes these parameters and no others. */
  query: z.ZodObject
  /** Absent: the route takes no body, or an empty object. */
  body?: z.ZodType
  /**
   * Present: the route takes a document, in JSON as `body` says or as multipart/form-data as this says; contents are
   * Uploads in both. It has its own limit of size.
   */
  form?: z.ZodType
  /** The JSON body carries audio, as an Upload. It has its own limit of size. */
  audio?: boolean
  /** Takes an `Idempotency-Key`. */
  idempotent: boolean
  /** Takes an `If-Match`. */
  conditional: boolean
  responses: Record<number, ResponseSpec>
  handler: (request: RouteRequest<unknown, unknown, unknown, Auth>) => Promise<Reply>
}

/** What a handler gets: everything is checked. */
export interface RouteRequest<P, Q, B, A extends Auth> {
  principal: A extends 'key' ? Principal : Principal | undefined
  params: P
  query: Q
  body: B
  idempotency?: Idempotency
  ctx: AppContext
}

const none = z.object({})
type None = typeof none

interface RouteDefinition<
  A extends Auth,
  P extends z.ZodObject,
  Q extends z.ZodObject,
  B extends z.ZodType,
  F extends z.ZodType,
> {
  method: Route['method']
  path: Route['path']
  summary: string
  description?: string
  tag: string
  auth: A
  params?: P
  query?: Q
  body?: B
  form?: F
  audio?: boolean
  idempotent?: boolean
  conditional?: boolean
  responses: Route['responses']
  handler: (request: RouteRequest<z.output<P>, z.output<Q>, z.output<B> | z.output<F>, A>) => Promise<Reply>
}

/** Declares a route once: the router serves it and the OpenAPI document describes it from the same schemas. */
export function defineRoute<
  A extends Auth,
  P extends z.ZodObject = None,
  Q extends z.ZodObject = None,
  B extends z.ZodType = z.ZodUndefined,
  F extends z.ZodType = z.ZodNever,
>(definition: RouteDefinition<A, P, Q, B, F>): Route {
  return {
    idempotent: false,
    conditional: false,
    ...definition,
    params: definition.params ?? none,
    query: (definition.query ?? none).strict(),
    handler: definition.handler as Route['handler'],
  }
}
