import { z } from 'zod'
import { allowClients } from '../routing/access.ts'
import { defineRoute, type Route } from '../routing/route.ts'
import { line } from '../../contract/shared/text.ts'
import type { McpEndpoint } from './endpoint.ts'
import { MCP_PATH } from './protocol/paths.ts'

/**
 * The MCP server. It is a protocol of its own, so the OpenAPI document does not describe it, and errors are those of
 * JSON-RPC. Each tool has the permission of the route that does the same.
 */
export function mcpRoutes(_services: unknown, { mcp }: { mcp: McpEndpoint }): Route[] {
  const about = {
    method: 'post',
    effect: 'read',
    tag: 'Tools',
    access: allowClients(null),
    isPublished: false,
    raw: true,
    responses: { 200: { description: 'A message of MCP', mediaType: 'application/json' } },
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
      summary: 'Call the MCP server with the tools of one toolkit',
      params: z.object({ toolkit: line() }),
      handler: ({ caller, principal, params, ctx }) => mcp.serve(ctx, { ...caller, principal }, params.toolkit),
    }),
  ]
}
