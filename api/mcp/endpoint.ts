import { createMcpHandler, type McpHttpHandler, type ServerEventBus } from '@modelcontextprotocol/server'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { Unavailable, ValidationError } from '../../domain/shared/errors.ts'
import { parseJson } from '../../domain/shared/json/parsing/parse-json.ts'
import type { Reply } from '../routing/reply.ts'
import type { AppContext } from '../routing/state.ts'
import { buildServer, type ServerDeps } from './build-server.ts'
import { checkScopes } from './protocol/oauth.ts'
import type { Reach } from './calls/reach.ts'
import { findTools, readToolkitNames } from './tools/select-tools.ts'
import type { Subscriptions } from './subscriptions/subscriptions.ts'
import type { Caller } from '../../services/access/callers.ts'

export interface McpEndpoint {
  /** Serves a request with all built-in toolkits, or with only the named toolkit. */
  serve(ctx: AppContext, caller: Caller, toolkit?: string): Promise<Reply>
  /** Ends pending calls with a response, and rejects new ones. */
  close(): void
}

interface Deps extends Omit<ServerDeps, 'stopping'> {
  subscriptions: Subscriptions
  /** Counts a batch's calls beyond the first. Throws RateLimited. */
  countCalls: (ctx: AppContext, calls: number) => Promise<void>
  pingSeconds: number
}

/** Maximum number of messages in a batch. Each message counts as a request. */
const MAX_BATCH = 20

/**
 * The MCP server over HTTP. Supports the latest revision and the 2025 revision with the same tools. Requests are
 * independent of each other.
 */
export function createMcpEndpoint({ subscriptions, countCalls, pingSeconds, ...deps }: Deps): McpEndpoint {
  const stopping = new AbortController()
  /** Handlers with an open change stream. */
  const listening = new Set<McpHttpHandler>()

  /** Handles a request. The SDK writes the response. */
  async function answer(ctx: AppContext, message: unknown, handler: McpHttpHandler): Promise<Reply> {
    ctx.respond = false
    const { log } = ctx.state
    const serve = toNodeHandler(handler, { onerror: err => log.error({ err }, 'MCP request failed') })
    await serve(ctx.req, ctx.res, message)
    return 'streamed'
  }

  async function listen(
    ctx: AppContext,
    caller: Caller,
    reach: Reach,
    build: (bus?: ServerEventBus) => McpHttpHandler,
    message: unknown,
  ) {
    const bus = await subscriptions.open(ctx, caller, reach)
    if (!bus) return 'streamed' as const
    const handler = build(bus)
    listening.add(handler)
    try {
      return await answer(ctx, message, handler)
    } finally {
      listening.delete(handler)
    }
  }

  return {
    async serve(ctx, caller, toolkit) {
      if (stopping.signal.aborted) throw new Unavailable('This process is shutting down. Send the request again')
      const message = parseJson(ctx.state.rawBody ?? Buffer.alloc(0))
      const names = readToolkitNames(toolkit, ctx.get('X-MCP-Toolkits'))
      const { tools, reach } = await findTools(deps.mcpToolkits, caller.principal, names)
      const messages = Array.isArray(message) ? message : [message]
      if (messages.length > MAX_BATCH) throw new ValidationError(`A batch may have at most ${MAX_BATCH} messages`)
      await countCalls(ctx, messages.length - 1)
      for (const each of messages) checkScopes(each, tools, caller, deps.accessOf)
      const { log } = ctx.state
      const server = buildServer({ ...deps, stopping: stopping.signal }, { caller, tools, reach, log })
      const build = (bus?: ServerEventBus) =>
        createMcpHandler(() => server, {
          bus,
          keepAliveMs: pingSeconds * 1_000,
          onerror: error => log.debug({ err: error }, 'MCP request failed'),
        })
      return isListen(message) ? listen(ctx, caller, reach, build, message) : answer(ctx, message, build())
    },
    close() {
      stopping.abort()
      for (const handler of listening) void handler.close()
      subscriptions.close()
    },
  }
}

const isListen = (message: unknown): boolean =>
  typeof message === 'object' && message !== null && 'method' in message && message.method === 'subscriptions/listen'
