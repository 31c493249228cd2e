import { ValidationError } from '../../../domain/shared/errors.ts'
import { isReservedToolkit } from '../../../domain/tools/mcp-toolkits.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import type { AccessOfRoutes } from '../calls/access-of-routes.ts'
import { createOwnTool } from './own-tool.ts'
import type { Tool } from './tool.ts'
import type { Reach } from '../calls/reach.ts'
import { BUILTIN_TOOLS, FULL_REACH, findBuiltinReach, getBuiltinToolkit, joinTools, RUN_TOOLS } from './toolkits.ts'
import type { McpToolkits } from '../../../services/tools/mcp-toolkits.ts'

const MAX_NAMED_TOOLKITS = 20

/**
 * Returns the toolkits named in a request: the one in the path, or else those in the `X-MCP-Toolkits` header. Returns
 * undefined for all built-in toolkits if the request names none.
 */
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

/** The toolkits selected by a request. */
export interface Selection {
  tools: readonly Tool[]
  reach: Reach
}

/**
 * Returns the toolkits' tools in a fixed order, and what the tools can access. Throws NotFound for a toolkit that
 * doesn't exist in the workspace.
 */
export async function findTools(
  mcpToolkits: Pick<McpToolkits, 'listTools'>,
  principal: Principal,
  names: string[] | undefined,
): Promise<Selection> {
  if (names === undefined) return { tools: BUILTIN_TOOLS, reach: FULL_REACH }
  const toolkits = await Promise.all(
    names.map(async (name): Promise<Selection> => {
      if (isReservedToolkit(name)) return { tools: getBuiltinToolkit(name), reach: findBuiltinReach(name) }
      const tools = await mcpToolkits.listTools(principal, name)
      const targets = new Set(tools.map(({ target }) => target.id))
      return { tools: [...tools.map(createOwnTool), ...RUN_TOOLS], reach: { kinds: [], targets } }
    }),
  )
  return {
    tools: joinTools(toolkits.map(({ tools }) => tools)),
    reach: joinReaches(toolkits.map(({ reach }) => reach)),
  }
}

function joinReaches(reaches: Reach[]): Reach {
  const targets = new Set<string>()
  for (const reach of reaches) {
    if (reach.targets === 'all') return { kinds: joinKinds(reaches), targets: 'all' }
    for (const id of reach.targets) targets.add(id)
  }
  return { kinds: joinKinds(reaches), targets }
}

const joinKinds = (reaches: Reach[]): Reach['kinds'] => [...new Set(reaches.flatMap(({ kinds }) => kinds))]

/** Returns the tools that a caller may call, based on the permissions of their routes. */
export const listPermitted = (
  tools: readonly Tool[],
  permissions: ReadonlySet<string>,
  accessOf: AccessOfRoutes,
): Tool[] =>
  tools.filter(({ route }) => {
    const { permission } = accessOf(route)
    return permission === null || permissions.has(permission)
  })
