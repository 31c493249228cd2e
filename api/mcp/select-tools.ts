import { ValidationError } from '../../domain/errors.ts'
import { isReservedToolkit } from '../../domain/mcp-toolkits.ts'
import type { Principal } from '../../domain/principal.ts'
import type { McpToolkits } from '../../services/mcp-toolkits/types.ts'
import type { AccessOfRoutes } from './access-of-routes.ts'
import { toOwnTool } from './own-tool.ts'
import type { Tool } from './tool.ts'
import { BUILTIN_TOOLS, findBuiltinToolkit, joinTools, RUN_TOOLS } from './toolkits.ts'

const MAX_NAMED_TOOLKITS = 20

/** The toolkits that a request names: that of its path, else those of the header `X-MCP-Toolkits`, else all of the service. */
export function readToolkitNames(inPath: string | undefined, header: string): string[] | undefined {
  if (inPath !== undefined) return [inPath]
  const names = header
    .split(',')
    .map(name => name.trim())
    .filter(name => name !== '')
  if (names.length > MAX_NAMED_TOOLKITS)
    throw new ValidationError(`X-MCP-Toolkits may name at most ${MAX_NAMED_TOOLKITS} toolkits`)
  return names.length > 0 ? names : undefined
}

/** Returns the tools of the toolkits, in a fixed order. Throws NotFound for a toolkit that the workspace does not have. */
export async function findTools(
  mcpToolkits: Pick<McpToolkits, 'listTools'>,
  principal: Principal,
  names: string[] | undefined,
): Promise<readonly Tool[]> {
  if (names === undefined) return BUILTIN_TOOLS
  const toolkits = await Promise.all(
    names.map(async name => {
      if (isReservedToolkit(name)) return findBuiltinToolkit(name) ?? []
      const tools = await mcpToolkits.listTools(principal, name)
      return [...tools.map(toOwnTool), ...RUN_TOOLS]
    }),
  )
  return joinTools(toolkits)
}

/** Returns the tools that a caller may call: those whose route its permissions open. */
export const listPermitted = (
  tools: readonly Tool[],
  permissions: ReadonlySet<string>,
  accessOf: AccessOfRoutes,
): Tool[] =>
  tools.filter(({ route }) => {
    const { permission } = accessOf(route)
    return permission === null || permissions.has(permission)
  })
