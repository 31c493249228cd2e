import type { CallToolResult } from '@modelcontextprotocol/client'
import type { JsonObject, JsonValue } from '../../../domain/shared/json/json.ts'
import type { Redactor } from '../../../domain/tools/redactor.ts'
import { excerpt, toolFailedError } from '../errors.ts'
import { inMcpSession, type McpDeps, type McpServer } from './session.ts'

export interface McpToolCall {
  server: McpServer
  /** The tool's name on the server. */
  name: string
  args: JsonObject
  idempotency_key: string
  signal: AbortSignal
}

/**
 * Calls a tool on an MCP server. The output is the structured content if there is any, otherwise the text. Throws
 * StepError.
 */
export function callMcpTool(
  deps: McpDeps,
  { server, name, args, idempotency_key, signal }: McpToolCall,
): Promise<{ output: JsonValue; redactor: Redactor }> {
  return inMcpSession(deps, server, signal, async ({ client, options, redactor }) => {
    const params = { name, arguments: args, _meta: { idempotency_key } }
    const result = await client.request({ method: 'tools/call', params }, options)
    if (result.isError)
      throw toolFailedError(`${name}: ${excerpt(redactor.text(joinParts(result))) || 'the tool failed'}`)
    return { output: (result.structuredContent as JsonValue | undefined) ?? joinParts(result), redactor }
  })
}

const joinParts = ({ content }: CallToolResult): string => content.map(partText).join('\n')

function partText(part: CallToolResult['content'][number]): string {
  switch (part.type) {
    case 'text':
      return part.text
    case 'resource':
      return 'text' in part.resource
        ? part.resource.text
        : `[${part.resource.mimeType ?? 'content'} of ${part.resource.uri}]`
    case 'resource_link':
      return `[${part.name}: ${part.uri}]`
    default:
      return `[${part.type}: ${part.mimeType}]`
  }
}
