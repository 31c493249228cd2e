import koaCors from '@koa/cors'
import type { Context } from 'koa'
import type { Step } from '../routing/state.ts'

const REQUEST_HEADERS = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'Last-Event-ID',
  'MCP-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
  'Range',
  'X-Brain-Id',
  'X-CSRF-Token',
  'X-MCP-Toolkits',
  // Sent by the Temporal UI when it requests decrypted payloads.
  'X-Namespace',
  'X-Publishable-Key',
  'X-Request-Id',
]
const RESPONSE_HEADERS = [
  'Accept-Ranges',
  'Allow',
  'Content-Disposition',
  'Content-Range',
  'ETag',
  'Location',
  'Retry-After',
  'WWW-Authenticate',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
]
const MAX_AGE_SECONDS = 600

/**
 * Allows pages from these origins to call the API and read the responses. They may send cookies, but session requests
 * still need the CSRF token. If the list is empty, pages from other sites have no access.
 */
export function cors(origins: string[]): Step {
  const allowed = new Set(origins)
  const step = koaCors({
    origin: (ctx: Context) => (allowed.has(ctx.get('Origin')) ? ctx.get('Origin') : ''),
    credentials: ctx => allowed.has(ctx.get('Origin')),
    allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowHeaders: REQUEST_HEADERS,
    exposeHeaders: RESPONSE_HEADERS,
    maxAge: MAX_AGE_SECONDS,
    keepHeadersOnError: false,
  })
  return (ctx, next) => (allowed.size === 0 ? next() : step(ctx, next))
}
