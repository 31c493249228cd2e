import type { OpenAPIRegistry } from '@asteasolutions/zod-to-openapi'

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
export const limitHeaders = referTo(LIMITS)

/** The same for statuses that say when to retry. */
export const retryHeaders = referTo([...LIMITS, RETRY])

export function registerLimitHeaders(registry: OpenAPIRegistry): void {
  for (const [component, , description] of [...LIMITS, RETRY])
    registry.registerComponent('headers', component, { description, required: true, schema: integer(0) })
}
