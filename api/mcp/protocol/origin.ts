import { Forbidden } from '../../../domain/shared/errors.ts'
import type { Step } from '../../routing/state.ts'
import { isMcpPath } from './paths.ts'

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Refuses requests of pages of other sites, as MCP asks: those of CORS_ORIGINS, of the service itself and of this machine
 * pass. Clients that are no browsers send no `Origin`.
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
