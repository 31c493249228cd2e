import { createMcpHandler } from '@modelcontextprotocol/server'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { Unavailable } from '../../domain/errors.ts'
import { parseJson } from '../../domain/json-parsing/parse-json.ts'
import type { Caller } from '../../services/access/types.ts'
import type { Reply } from '../routing/reply.ts'
import type { AppContext } from '../routing/state.ts'
import { buildServer, type ServerDeps } from './build-server.ts'
import { readToolkitNames } from './select-tools.ts'

export interface McpEndpoint {
  /** Serves a request with all toolkits of the service, or with one. */
  serve(ctx: AppContext, caller: Caller, toolkit?: string): Promise<Reply>
  /** Answers the calls that wait, and refuses new ones. */
  close(): void
}

interface Deps extends Omit<ServerDeps, 'stopping'> {
  pingSeconds: number
}

/** The MCP server on HTTP: the newest revision, and that of 2025 from the same tools. No request depends on another. */
export function createMcpEndpoint({ pingSeconds, ...deps }: Deps): McpEndpoint {
  const stopping = new AbortController()
  return {
    async serve(ctx, caller, toolkit) {
      if (stopping.signal.aborted) throw new Unavailable('This process is shutting down; call again')
      const message = parseJson(ctx.state.rawBody ?? Buffer.alloc(0))
      const toolkits = readToolkitNames(toolkit, ctx.get('X-MCP-Toolkits'))
      const { log } = ctx.state
      const server = await buildServer({ ...deps, stopping: stopping.signal }, { caller, toolkits, log })
      const handler = createMcpHandler(() => server, {
        keepAliveMs: pingSeconds * 1_000,
        onerror: error => log.debug({ err: error }, 'a request of MCP failed'),
      })
      // The SDK writes the response.
      ctx.respond = false
      await toNodeHandler(handler, { onerror: err => log.error({ err }, 'a request of MCP failed') })(
        ctx.req,
        ctx.res,
        message,
      )
      return 'streamed'
    },
    close: () => stopping.abort(),
  }
}
