import { z } from 'zod'

const PLACES = ['path', 'query', 'header'] as const

/** Location of an argument in a request, and its OpenAPI serialization. */
const place = z.strictObject({
  in: z.enum(PLACES),
  /** Parameter name in the request. */
  name: z.string().min(1).max(200),
  style: z.enum(['simple', 'form', 'spaceDelimited', 'pipeDelimited', 'deepObject', 'json']),
  explode: z.boolean().default(false),
})

/** Request of an HTTP API tool. */
export const httpCall = z.strictObject({
  method: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']),
  /** Path with `{name}` placeholders for arguments. */
  path: z.string().startsWith('/').max(2_000),
  /** Base URL of the path, if the tool collection has no `server_url`. */
  server: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .optional(),
  /** Locations by argument. */
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
