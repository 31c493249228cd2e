import { Forbidden } from '../../../domain/shared/errors.ts'
import type { Step } from '../../routing/state.ts'
import { isMcpPath } from './paths.ts'

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Rejects requests from other sites' pages, as the MCP specification requires. Pages from CORS_ORIGINS, from the
 * service itself and from localhost are accepted. Non-browser clients send no `Origin`.
 */
export function mcpOrigin({ CORS_ORIGINS, BASE_URL }: { CORS_ORIGINS: string[]; BASE_URL?: string }): Step {
  const allowed = new Set([...CORS_ORIGINS, ...(BASE_URL === undefined ? [] : [new URL(BASE_URL).origin])])
  return (ctx, next) => {
    const origin = ctx.get('Origin')
    if (origin !== '' && isMcpPath(ctx.path) && !allowed.has(origin) && !isLoopback(origin))
      throw new Forbidden('Pages of this origin may not call the MCP server')
    return next()
  }
}

const isLoopback = (origin: string): boolean => LOOPBACK.has(URL.parse(origin)?.hostname ?? '')
