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

/** Who calls, in the brain of the request. */
export type McpCaller = Pick<Caller, 'principal'>

export interface CallRequest {
  caller: McpCaller
  reach: Reach
  args: unknown
  /** Of `_meta`, for tools whose arguments are not ours. */
  idempotency_key?: unknown
  signal: AbortSignal
}

/** What follows the start of a run, or a wait for one: its outcome, a task, or a question to the user. */
export type Follow = (run: StartedRun, call: ToolCall) => Promise<CallToolResult | InputRequiredResult>

/** Calls a tool for a caller, by the rules of its route. Throws AppError. */
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

/** The result as structured content, and as text for clients that know no other. */
export function createToolResult(content: object): CallToolResult {
  const structuredContent = toStorableValue(content as JsonObject) as JsonObject
  return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent }
}

/** The error that a model reads: it may mend its arguments, or tell the person. */
export function createErrorResult({ code, message, details, retryAfter }: AppError): CallToolResult {
  const listed =
    details && !message.includes(formatProblems(details)) ? `${message}: ${formatProblems(details)}` : message
  const text = toStorableJson({ code, message: listed, ...(details && { details }), ...(retryAfter && { retryAfter }) })
  return { content: [{ type: 'text', text }], isError: true }
}
