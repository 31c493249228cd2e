import type { IncomingMessage } from 'node:http'
import type { Step } from '../routing/state.ts'
import { randomUUID } from 'node:crypto'
import { AppError, NotFound } from '../../domain/shared/errors.ts'
import { prefersHtml } from '../routing/prefers-html.ts'

const YEAR_SECONDS = 31_536_000

/**
 * Disables caching and MIME sniffing unless a route sets these headers. Tells browsers connected over HTTPS to keep
 * using HTTPS.
 * @param isSecure whether the client of a request uses HTTPS
 */
export const headers =
  (isSecure: (req: IncomingMessage) => boolean): Step =>
  (ctx, next) => {
    ctx.state.isSecure = isSecure(ctx.req)
    ctx.set('Cache-Control', 'no-store')
    ctx.set('X-Content-Type-Options', 'nosniff')
    if (ctx.state.isSecure) ctx.set('Strict-Transport-Security', `max-age=${YEAR_SECONDS}`)
    return next()
  }

const VALID_ID = /^[\w.:+/=~-]{1,128}$/

/** Runs work in the log context of a request. */
export type InRequest = <T>(requestId: string, work: () => T) => T

/**
 * Sets the request id: the caller's `X-Request-Id` if it is valid, otherwise a new one. The audit log records it with
 * each change.
 */
export const requestId =
  (inRequest: InRequest): Step =>
  (ctx, next) => {
    const given = ctx.get('X-Request-Id')
    ctx.state.requestId = VALID_ID.test(given) ? given : randomUUID()
    ctx.set('X-Request-Id', ctx.state.requestId)
    return inRequest(ctx.state.requestId, next)
  }

/** Path prefixes of removed routes, with an error message that names the replacement. */
const MOVED: Record<string, string> = {
  '/v1/integrations': 'Integrations are managed by a separate service',
  '/v1/grep': 'Use /v1/search instead',
}

/** Returns 410 for removed routes, regardless of caller and method. */
export const rejectRemovedRoutes: Step = (ctx, next) => {
  for (const [path, message] of Object.entries(MOVED)) {
    if (ctx.path === path || ctx.path.startsWith(`${path}/`)) throw new AppError('GONE', message)
  }
  return next()
}

/** Short addresses that people type, and the addresses they redirect to. */
const SHORT = new Map([
  ['/docs', '/v1/docs'],
  ['/health', '/v1/health'],
])

/**
 * Redirects short addresses, and redirects browsers from the root to the console. Other clients get a 404 for the
 * root, as for any unknown route.
 */
export const redirects: Step = (ctx, next) => {
  if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next()
  const isBrowserAtRoot = ctx.path === '/' && prefersHtml(ctx)
  const to = isBrowserAtRoot ? '/console/' : SHORT.get(ctx.path)
  if (to === undefined) return next()
  if (ctx.path === '/') ctx.vary('Accept')
  ctx.redirect(to)
  return Promise.resolve()
}

interface RouteMatch {
  path: string
  methods: string[]
}

/** Responds to requests that match no route: 405 with `Allow` if the path exists, otherwise 404. */
export const unknownRoute: Step = async ctx => {
  const matched: RouteMatch[] = Array.isArray(ctx.matched) ? ctx.matched : []
  const allowed = new Set(listClosest(matched).flatMap(({ methods }) => methods))
  if (allowed.size === 0) throw new NotFound('This route')
  ctx.set('Allow', [...allowed].join(', '))
  throw new AppError('METHOD_NOT_ALLOWED', `This route does not support ${ctx.method}`)
}

/** Returns the matches with the fewest parameters: `/assets/ingest` rather than `/assets/:id`. */
function listClosest(matched: RouteMatch[]): RouteMatch[] {
  const counts = matched.map(({ path }) => path.split('/:').length)
  const fewest = Math.min(...counts)
  return matched.filter((_, index) => counts[index] === fewest)
}
