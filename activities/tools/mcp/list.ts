import type { Tool } from '@modelcontextprotocol/client'
import type { JsonValue } from '../../../domain/shared/json/json.ts'
import type { ReflexTool } from '../../../domain/resources/kinds/reflexes.ts'
import { createUniqueNamer } from '../../../domain/tools/names.ts'
import { PlainSchemas } from '../../../domain/tools/plain-schema.ts'
import type { ToolEffect } from '../../../domain/tools/tool-spec.ts'
import { toolFailedError } from '../errors.ts'
import { inMcpSession, type McpDeps, type McpServer } from './session.ts'

const MAX_TOOLS = 500
const MAX_PAGES = 100
const MAX_DESCRIPTION_CHARS = 2_000

/** Lists an MCP server's tools in the form stored in a reflex. Throws StepError. */
export async function listMcpTools(deps: McpDeps, server: McpServer, signal: AbortSignal): Promise<ReflexTool[]> {
  const tools = await inMcpSession(deps, server, signal, async ({ client, options }) => {
    const listedTools: Tool[] = []
    let cursor: string | undefined
    for (let page = 0; page < MAX_PAGES; page++) {
      const request = { method: 'tools/list' as const, params: cursor === undefined ? {} : { cursor } }
      const { tools, nextCursor } = await client.request(request, options)
      listedTools.push(...tools)
      if (listedTools.length > MAX_TOOLS) throw toolFailedError(`The server must have at most ${MAX_TOOLS} tools`)
      if (nextCursor === undefined) break
      cursor = nextCursor
    }
    return listedTools
  })
  const nameFor = createUniqueNamer()
  return tools.map(tool => ({
    name: nameFor(tool.name),
    description: (tool.description ?? tool.annotations?.title ?? tool.title ?? '').slice(0, MAX_DESCRIPTION_CHARS),
    parameters: plain(tool.inputSchema as JsonValue),
    effect: classifyToolEffect(tool.annotations),
    mcp: { name: tool.name.slice(0, 500) },
  }))
}

/** Resolves references within the schema. Any other reference allows any value. */
const plain = (schema: JsonValue) => new PlainSchemas(schema, () => undefined).read(schema, '')

/** A server's hints affect only how calls are retried, never which calls are permitted. */
function classifyToolEffect({ readOnlyHint, idempotentHint }: Tool['annotations'] = {}): ToolEffect {
  if (readOnlyHint) return 'read'
  return idempotentHint ? 'idempotent' : 'write'
}
