import { MissingRequiredClientCapabilityError, type Server, type ServerContext } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { isTerminal } from '../../../domain/runs/jobs.ts'
import type { Route } from '../../routing/route.ts'
import { type ClientAbilities, readDeclared, TASKS_EXTENSION } from '../protocol/capabilities.ts'
import type { McpCaller } from '../calls/call-tool.ts'
import type { ServerDeps } from '../build-server.ts'
import { checkPermission } from '../calls/check-permission.ts'
import { checkRun, type Reach } from '../calls/reach.ts'
import { asProtocolError } from '../protocol/protocol-errors.ts'
import { answerForms } from '../questions/answer-forms.ts'
import { presentTask } from './task.ts'

const params = z.looseObject({ taskId: z.string().min(1).max(300) })

/**
 * Handles the methods of the tasks extension. A run is a task, and the task id is the job id. Cancelling a completed
 * task has no effect.
 */
export function handleTasks(server: Server, deps: ServerDeps, caller: McpCaller, reach: Reach): void {
  const { jobs, accessOf } = deps
  const { principal } = caller

  /** Handles a method for clients that support tasks, with the permission of the equivalent route. */
  function handle(
    method: string,
    route: Route['name'],
    work: (taskId: string, declared: ClientAbilities, ctx: ServerContext) => Promise<object>,
  ): void {
    server.setRequestHandler(method, { params }, async ({ taskId }, ctx) => {
      const declared = readDeclared(ctx)
      if (!declared.tasks)
        throw new MissingRequiredClientCapabilityError({
          requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } },
        })
      const working = async () => {
        checkPermission(accessOf, route, caller)
        await checkRun(deps, reach, principal, taskId)
        return work(taskId, declared, ctx)
      }
      return { resultType: 'complete', ...(await working().catch(asProtocolError)) }
    })
  }

  handle('tasks/get', 'jobs.status', async (taskId, declared) =>
    presentTask(await jobs.status(principal, taskId), principal, declared),
  )
  handle('tasks/update', 'jobs.answer', async (taskId, _, { mcpReq }) => {
    await answerForms(deps, principal, taskId, mcpReq.inputResponses ?? {})
    return {}
  })
  handle('tasks/cancel', 'jobs.cancel', async taskId => {
    const { status } = await jobs.status(principal, taskId)
    if (!isTerminal(status)) await jobs.cancel(principal, taskId)
    return {}
  })
}
