import type { Logger } from 'pino'
import { bindTrace } from '../../observability/spans.ts'
import type { AppContext, Step } from '../routing/state.ts'

/**
 * One line per request, written when the answer is out (for a stream: when it ends). Query strings are never logged:
 * they may carry share tokens. Headers are never logged: they carry keys. A path never shows the token of a hook.
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
  const level = status >= 500 ? 'error' : isProbe(ctx.path) ? 'debug' : 'info'
  const about = { workspace_id: principal?.workspace_id, job_id: jobId }
  log[level]({ method: ctx.method, path: hideToken(ctx.path), status, ms: Math.round(ms), ...about }, 'request')
}

/** Also for a path that fits no route. */
const hideToken = (path: string) => path.replace(/^(\/+v1\/+public\/+hooks\/+).+/i, '$1[token]')

const isProbe = (path: string) => path.startsWith('/v1/health')
