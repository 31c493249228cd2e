import type { CallToolResult, InputRequiredResult } from '@modelcontextprotocol/server'
import type { AppError } from '../../../domain/shared/errors.ts'
import { formatProblems } from '../../../domain/shared/json/json.ts'
import { buildIdempotency } from '../../middleware/idempotency.ts'
import type { AccessOfRoutes } from './access-of-routes.ts'
import { checkPermission } from './check-permission.ts'
import type { McpDeps } from '../mcp-deps.ts'
import { checkRunOf, type Reach } from './reach.ts'
import type { StartedRun, Tool, ToolCall } from '../tools/tool.ts'
import type { JsonObject } from '../../../domain/shared/json/json.ts'
import { toStorableJson, toStorableValue } from '../../../domain/shared/json/storable.ts'
import type { Caller } from '../../../services/access/callers.ts'

/** The caller, with the brain selected for the request. */
export type McpCaller = Pick<Caller, 'principal'>

export interface CallRequest {
  caller: McpCaller
  reach: Reach
  args: unknown
  /** Sent in `_meta`, for tools whose arguments Ganglion does not define. */
  idempotency_key?: unknown
  signal: AbortSignal
}

/** Follows a started run or a wait. Returns its outcome, a task, or a question to the user. */
export type Follow = (run: StartedRun, call: ToolCall) => Promise<CallToolResult | InputRequiredResult>

/** Calls a tool for a caller, subject to the access rules of the tool's route. Throws AppError. */
export async function callTool(
  deps: McpDeps,
  accessOf: AccessOfRoutes,
  tool: Tool,
  { caller, reach, args: rawArgs, idempotency_key: inMeta, signal }: CallRequest,
  follow: Follow,
): Promise<CallToolResult | InputRequiredResult> {
  checkPermission(accessOf, tool.route, caller)
  const { principal } = caller
  const { args, idempotency_key = inMeta } = tool.parse(rawArgs ?? {})
  await checkRunOf(deps, reach, principal, args)
  if (accessOf(tool.route).effect === 'write') await deps.plans.checkWrite(principal)
  const isKeyed = typeof idempotency_key === 'string' && idempotency_key !== ''
  const idempotency = isKeyed
    ? buildIdempotency(principal, idempotency_key, { route: `tool ${tool.name}`, body: args })
    : undefined
  const call = { principal, idempotency, signal }
  const { action } = tool
  if (action.type !== 'call') return follow(await action.start(deps, call, args), call)
  return createToolResult(await action.call(deps, call, args))
}

/** Returns the result as structured content, and as text for clients that don't support structured content. */
export function createToolResult(content: object): CallToolResult {
  const structuredContent = toStorableValue(content as JsonObject) as JsonObject
  return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent }
}

/** Returns the error to the model, which can then correct its arguments or inform the user. */
export function createErrorResult({ code, message, details, retryAfter }: AppError): CallToolResult {
  const listed =
    details && !message.includes(formatProblems(details)) ? `${message}: ${formatProblems(details)}` : message
  const text = toStorableJson({ code, message: listed, ...(details && { details }), ...(retryAfter && { retryAfter }) })
  return { content: [{ type: 'text', text }], isError: true }
}
