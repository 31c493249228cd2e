import type { Step } from '../routing/state.ts'

/** Disables caching and MIME sniffing unless a route sets these headers. */
export const headers: Step = (ctx, next) => {
  ctx.set('Cache-Control', 'no-store')
  ctx.set('X-Content-Type-Options', 'nosniff')
  return next()
}
