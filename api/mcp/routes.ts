import { z } from 'zod'
import { allowClients } from '../routing/access.ts'
import { defineRoute, type Route } from '../routing/route.ts'
import { line } from '../../contract/shared/text.ts'
import type { McpEndpoint } from './endpoint.ts'
import { MCP_PATH } from './protocol/paths.ts'

/**
 * The MCP server's routes. The server has its own protocol, so the routes are not part of the OpenAPI document, and
 * errors follow JSON-RPC. Each tool needs the permission of the equivalent route.
 */
export function mcpRoutes(_services: unknown, { mcp }: { mcp: McpEndpoint }): Route[] {
  const about = {
    method: 'post',
    effect: 'read',
    tag: 'Tools',
    access: allowClients(null),
    isPublished: false,
    raw: true,
    responses: { 200: { description: 'An MCP message', mediaType: 'application/json' } },
  } as const
  return [
    defineRoute({
      ...about,
      name: 'mcp.call',
      path: MCP_PATH,
      summary: 'Call the MCP server',
      handler: ({ caller, principal, ctx }) => mcp.serve(ctx, { ...caller, principal }),
    }),
    defineRoute({
      ...about,
      name: 'mcp.callToolkit',
      path: `${MCP_PATH}/:toolkit`,
      summary: 'Call the MCP server with one toolkit',
      params: z.object({ toolkit: line() }),
      handler: ({ caller, principal, params, ctx }) => mcp.serve(ctx, { ...caller, principal }, params.toolkit),
    }),
  ]
}
