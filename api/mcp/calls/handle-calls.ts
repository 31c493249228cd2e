import {
  isInputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  type RequestStateCodec,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import type { Logger } from 'pino'
import { AppError, isRefusal } from '../../../domain/shared/errors.ts'
import type { ServerDeps } from '../build-server.ts'
import { callTool, type McpCaller, createErrorResult } from './call-tool.ts'
import { readDeclared } from '../protocol/capabilities.ts'
import { checkPermission } from './check-permission.ts'
import { answerForms } from '../questions/answer-forms.ts'
import { checkRun, type Reach } from './reach.ts'
import type { CallState } from '../protocol/request-state.ts'
import { followAsTask, followByWaiting } from '../runs/follow.ts'
import { followWithProgress } from '../runs/progress.ts'
import type { Tool } from '../tools/tool.ts'

interface Calls {
  caller: McpCaller
  tools: readonly Tool[]
  reach: Reach
  states: RequestStateCodec<CallState>
  log: Logger
}

/** Handles tool calls. Errors that the caller may see are returned as tool results, so that the model reads them. */
export function handleCalls(server: Server, deps: ServerDeps, { caller, tools, reach, states, log }: Calls): void {
  const byName = new Map(tools.map(tool => [tool.name, tool]))

  /** Returns how the client follows a run started by the tool. */
  function chooseFollow(tool: Tool, ctx: ServerContext) {
    const declared = readDeclared(ctx)
    if (declared.tasks && tool.action.type === 'start') return followAsTask(deps)
    const seal = (job_id: string) => states.mint({ tool: tool.name, job_id }, ctx)
    return followWithProgress(deps, followByWaiting(deps, declared, seal), ctx)
  }

  /** Resumes following a run after the client has asked its user. The first call started the run. */
  async function goOn(tool: Tool, { job_id }: CallState, ctx: ServerContext, signal: AbortSignal) {
    checkPermission(deps.accessOf, 'jobs.status', caller)
    await checkRun(deps, reach, caller.principal, job_id)
    const answers = ctx.mcpReq.inputResponses ?? {}
    if (Object.keys(answers).length > 0) {
      checkPermission(deps.accessOf, 'jobs.answer', caller)
      await answerForms(deps, caller.principal, job_id, answers)
    }
    return chooseFollow(tool, ctx)({ job_id }, { ...caller, signal })
  }

  server.setRequestHandler('tools/call', async ({ params }, ctx) => {
    const tool = byName.get(params.name)
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool "${params.name}"`)
    const signal = AbortSignal.any([ctx.mcpReq.signal, deps.stopping])
    const state = ctx.mcpReq.requestState<CallState>()
    const call = () => {
      if (state?.tool === tool.name) return goOn(tool, state, ctx, signal)
      const request = {
        caller,
        reach,
        args: params.arguments,
        idempotency_key: ctx.mcpReq._meta?.idempotency_key,
        signal,
      }
      return callTool(deps, deps.accessOf, tool, request, chooseFollow(tool, ctx))
    }
    const result = await call().catch((error: unknown) => presentToolError(error, tool, log))
    return isInputRequiredResult(result) || 'resultType' in result
      ? result
      : server.projectCallToolResult(result, tool.output)
  })
}

function presentToolError(error: unknown, { name }: Tool, log: Logger) {
  if (isRefusal(error)) return createErrorResult(error)
  log.error({ err: error instanceof AppError ? (error.cause ?? error) : error, tool: name }, 'tool call failed')
  if (error instanceof AppError) return createErrorResult(error)
  throw new ProtocolError(ProtocolErrorCode.InternalError, 'Internal error')
}
