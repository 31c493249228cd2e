import { z } from 'zod'

const PLACES = ['path', 'query', 'header'] as const

/** Where an argument goes in a request, and in which of OpenAPI's forms. */
const place = z.strictObject({
  in: z.enum(PLACES),
  /** What the request calls it. */
  name: z.string().min(1).max(200),
  style: z.enum(['simple', 'form', 'spaceDelimited', 'pipeDelimited', 'deepObject', 'json']),
  explode: z.boolean().default(false),
})

/** How a tool of an HTTP API is called. */
export const httpCall = z.strictObject({
  method: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']),
  /** With `{name}` where an argument goes. */
  path: z.string().startsWith('/').max(2_000),
  /** What the path is below, where the reflex has no `server_url`. */
  server: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .optional(),
  /** By argument. */
  places: z.record(z.string().min(1).max(200), place).default({}),
  /** The argument that is the body, and what it is sent as. */
  body: z
    .strictObject({
      argument: z.string().min(1).max(200),
      media_type: z.enum(['application/json', 'application/x-www-form-urlencoded', 'text/plain']),
    })
    .optional(),
})

export type HttpCall = z.output<typeof httpCall>
export type Place = z.output<typeof place>
