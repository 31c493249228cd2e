import { prefersHtml } from '../routing/prefers-html.ts'
import type { Step } from '../routing/state.ts'

/** Short addresses that people type, and where they lead. */
const SHORT = new Map([
  ['/docs', '/v1/docs'],
  ['/health', '/v1/health'],
])

/** Redirects short addresses, and browsers at the root to the console. Other clients get the 404 of an unknown route. */
export const redirects: Step = (ctx, next) => {
  if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next()
  const isBrowserAtRoot = ctx.path === '/' && prefersHtml(ctx)
  const to = isBrowserAtRoot ? '/console/' : SHORT.get(ctx.path)
  if (to === undefined) return next()
  if (ctx.path === '/') ctx.vary('Accept')
  ctx.redirect(to)
  return Promise.resolve()
}
