import { ListToolsResultSchema, type Tool } from '@modelcontextprotocol/sdk/types.js'
import type { JsonValue } from '../../../domain/json.ts'
import type { ReflexTool } from '../../../domain/resources/kinds/reflexes.ts'
import { createNaming } from '../../../domain/tools/names.ts'
import { PlainSchemas } from '../../../domain/tools/plain-schema.ts'
import type { ToolEffect } from '../../../domain/tools/tool-spec.ts'
import { toolFailed } from '../errors.ts'
import { inMcpSession, type McpDeps, type McpServer } from './session.ts'

const MAX_TOOLS = 500
const MAX_PAGES = 100
const MAX_DESCRIPTION_CHARS = 2_000

/** The tools of an MCP server, as a reflex keeps them. Throws StepError. */
export async function listMcpTools(deps: McpDeps, server: McpServer, signal: AbortSignal): Promise<ReflexTool[]> {
  const tools = await inMcpSession(deps, server, signal, async ({ client, options }) => {
    const found: Tool[] = []
    let cursor: string | undefined
    for (let page = 0; page < MAX_PAGES; page++) {
      const request = { method: 'tools/list' as const, params: cursor === undefined ? {} : { cursor } }
      const { tools, nextCursor } = await client.request(request, ListToolsResultSchema, options)
      found.push(...tools)
      if (found.length > MAX_TOOLS) throw toolFailed(`The server must have at most ${MAX_TOOLS} tools`)
      if (nextCursor === undefined) break
      cursor = nextCursor
    }
    return found
  })
  const nameFor = createNaming()
  return tools.map(tool => ({
    name: nameFor(tool.name),
    description: (tool.description ?? tool.annotations?.title ?? tool.title ?? '').slice(0, MAX_DESCRIPTION_CHARS),
    parameters: plain(tool.inputSchema as JsonValue),
    effect: toToolEffect(tool.annotations),
    mcp: { name: tool.name.slice(0, 500) },
  }))
}

/** References into the schema itself; what leads elsewhere takes any value. */
const plain = (schema: JsonValue) => new PlainSchemas(schema, () => undefined).read(schema, '')

/** Hints of a server count for how calls are repeated, and for nothing that keeps anybody safe. */
function toToolEffect({ readOnlyHint, idempotentHint }: Tool['annotations'] = {}): ToolEffect {
  if (readOnlyHint) return 'read'
  return idempotentHint ? 'idempotent' : 'write'
}
