import type { Step } from '../routing/state.ts'

/** What holds for every answer unless a route says otherwise: it is kept by nobody, and is what it says it is. */
export const headers: Step = (ctx, next) => {
  ctx.set('Cache-Control', 'no-store')
  ctx.set('X-Content-Type-Options', 'nosniff')
  return next()
}
