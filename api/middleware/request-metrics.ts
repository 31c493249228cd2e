import type { RequestMetrics } from '../../observability/request-metrics.ts'
import type { AppContext, Step } from '../routing/state.ts'

/** Measures requests until the response is sent, and streams until they are open. */
export const requestMetrics =
  (metrics: RequestMetrics): Step =>
  async (ctx, next) => {
    const began = performance.now()
    const report = () => metrics.observe(describe(ctx), (performance.now() - began) / 1_000)
    await next()
    if (isStream(ctx) || ctx.res.closed) report()
    else ctx.res.once('close', report)
  }

const isStream = (ctx: AppContext) => ctx.respond === false

const describe = (ctx: AppContext) => ({
  method: ctx.method,
  route: ctx.state.route,
  status: isStream(ctx) || ctx.res.writableFinished ? ctx.status : undefined,
})
