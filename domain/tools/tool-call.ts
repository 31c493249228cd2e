import { z } from 'zod'

const PLACES = ['path', 'query', 'header'] as const

/** Place of an argument in a request, and its serialization in OpenAPI. */
const place = z.strictObject({
  in: z.enum(PLACES),
  /** Name in the request. */
  name: z.string().min(1).max(200),
  style: z.enum(['simple', 'form', 'spaceDelimited', 'pipeDelimited', 'deepObject', 'json']),
  explode: z.boolean().default(false),
})

/** The request of a tool of an HTTP API. */
export const httpCall = z.strictObject({
  method: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']),
  /** Path with `{name}` in place of an argument. */
  path: z.string().startsWith('/').max(2_000),
  /** Base URL of the path, if the reflex has no `server_url`. */
  server: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .optional(),
  /** Places by argument. */
  places: z.record(z.string().min(1).max(200), place).default({}),
  /** The argument that is sent as the body, and its media type. */
  body: z
    .strictObject({
      argument: z.string().min(1).max(200),
      media_type: z.enum(['application/json', 'application/x-www-form-urlencoded', 'text/plain']),
    })
    .optional(),
})

export type HttpCall = z.output<typeof httpCall>
export type Place = z.output<typeof place>
