import { SpanKind, SpanStatusCode } from '@opentelemetry/api'
import proxyAddress from 'proxy-addr'
import { parseTraceparent } from '../../domain/shared/trace-context.ts'
import { inRemoteSpan } from '../../observability/spans.ts'
import type { Step } from '../routing/state.ts'

/**
 * Runs a request in a span. It goes on with the trace that `traceparent` names if the connection is from a trusted proxy:
 * other callers could have all their requests recorded, and choose the ids.
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
