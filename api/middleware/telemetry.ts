import type { Logger } from 'pino'
import { bindTrace, inRemoteSpan } from '../../observability/spans.ts'
import type { AppContext, Step } from '../routing/state.ts'
import { SpanKind, SpanStatusCode } from '@opentelemetry/api'
import proxyAddress from 'proxy-addr'
import { parseTraceparent } from '../../domain/shared/trace-context.ts'
import type { RequestMetrics } from '../../observability/request-metrics.ts'

/**
 * Writes one log line per request after the response is sent. For a stream, this is when the stream ends. Query
 * strings are never logged because they may contain share tokens. Headers are never logged because they contain keys.
 * Hook tokens are removed from paths.
 */
export function logging(log: Logger): Step {
  return async (ctx, next) => {
    const began = performance.now()
    ctx.state.log = log.child({ request_id: ctx.state.requestId })
    await next()
    const write = bindTrace(() => writeLine(ctx, performance.now() - began))
    ctx.res.once('close', write)
  }
}

function writeLine(ctx: AppContext, ms: number): void {
  const { status } = ctx
  const { log, principal, jobId } = ctx.state
  const level = isProbe(ctx.path) ? 'debug' : status >= 500 ? 'error' : 'info'
  const about = { workspace_id: principal?.workspace_id, job_id: jobId }
  log[level](
    { method: ctx.method, path: hideToken(ctx.path), status, duration_ms: Math.round(ms), ...about },
    'request',
  )
}

/** Also applies to paths without a route. */
const hideToken = (path: string) => path.replace(/^(\/+v1\/+public\/+hooks\/+).+/i, '$1[token]')

const isProbe = (path: string) => path.startsWith('/v1/health')

/**
 * Runs each request in a span. Continues the trace in `traceparent` only if the connection comes from a trusted
 * proxy. Otherwise any caller could force recording and choose trace ids.
 */
export function tracing(proxies: string[]): Step {
  const isTrusted = proxyAddress.compile(proxies)
  return (ctx, next) => {
    const { method, socket } = ctx.req
    const parent = isTrusted(socket.remoteAddress ?? '', 0) ? parseTraceparent(ctx.get('traceparent')) : undefined
    const details = { name: `${method}`, kind: SpanKind.SERVER, attributes: { 'http.request.method': method } }
    return inRemoteSpan(details, parent, async span => {
      await next()
      const route = ctx.state.route ?? 'no route'
      span.updateName(`${method} ${route}`)
      span.setAttributes({ 'http.route': route, 'http.response.status_code': ctx.status })
      if (ctx.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
    })
  }
}

/** Measures each request until its response is sent. A stream is measured only until it is open. */
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
