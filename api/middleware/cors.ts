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

const HEADERS = {
  allowHeaders: REQUEST_HEADERS,
  exposeHeaders: RESPONSE_HEADERS,
  maxAge: MAX_AGE_SECONDS,
  keepHeadersOnError: false,
}

interface CorsSettings {
  CORS_ORIGINS: string[]
  BASE_URL?: string
}

/**
 * Decides which pages of other sites may call the API and read the responses.
 *
 * - Pages from `CORS_ORIGINS` may call all routes and may send cookies. Session requests still need the CSRF token.
 * - All pages may call the routes for share tokens, which ignore cookies. `auth` then checks that the token allows the
 *   page's origin. A preflight can't check it, because browsers send preflights without the token.
 */
export function cors({ CORS_ORIGINS, BASE_URL }: CorsSettings): Step {
  const trusted = new Set(CORS_ORIGINS)
  const own = BASE_URL === undefined ? undefined : new URL(BASE_URL).origin
  const trust = koaCors({
    origin: (ctx: Context) => ctx.get('Origin'),
    credentials: true,
    allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    ...HEADERS,
  })
  const share = koaCors({ origin: '*', allowMethods: ['GET', 'HEAD', 'POST'], ...HEADERS })
  return (ctx, next) => {
    const origin = ctx.get('Origin')
    if (trusted.has(origin)) return trust(ctx, next)
    if (origin !== '' && origin !== own && URL.parse(origin)?.host !== ctx.host) ctx.state.foreignOrigin = origin
    if (isForShares(ctx.path)) return share(ctx, next)
    if (trusted.size > 0) ctx.vary('Origin')
    return next()
  }
}

/** Whether the routes at a path accept share tokens, or nothing secret at all. */
const isForShares = (path: string): boolean =>
  path.startsWith('/v1/public/') && !/^\/v1\/public\/(?:hooks|channels)\//.test(path)
