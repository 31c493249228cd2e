import type { IncomingMessage } from 'node:http'
import type { Step } from '../routing/state.ts'

const YEAR_SECONDS = 31_536_000

/**
 * Disables caching and MIME sniffing unless a route sets these headers. Browsers that came by HTTPS keep to it.
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
