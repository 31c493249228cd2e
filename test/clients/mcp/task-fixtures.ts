import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import {
  acceptedContent,
  type CallToolResult,
  inputRequired,
  MissingRequiredClientCapabilityError,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import { readDeclared, TASKS_EXTENSION } from '../../../api/mcp/protocol/capabilities.ts'
import { followAsTask, followByWaiting } from '../../../api/mcp/runs/follow.ts'
import { isTerminal } from '../../../domain/runs/jobs.ts'
import type { WaitingFor } from '../../../domain/people/intervention.ts'
import { NotFound } from '../../../domain/shared/errors.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import type { JobsService } from '../../../services/runs/jobs.ts'
import type { JobView } from '../../../contract/runs/job.ts'
import { jobDetail } from '../../api/services.ts'

/** The task tools that the official conformance suite expects, as in-memory runs that the service follows. */

interface Run {
  plan: Plan
  view: JobView
  ended: EventTarget
}

type Ending = { result: string } | { error: string }

interface Plan {
  seconds: number
  questions?: string[]
  ending: Ending
}

export interface FixtureRuns {
  jobs: Pick<JobsService, 'status' | 'answer' | 'cancel'>
  waitForResult: (principal: Principal, jobId: string, signal?: AbortSignal) => Promise<never>
  start(plan: Plan): string
}

export function createFixtureRuns(): FixtureRuns {
  const runs = new Map<string, Run>()

  function getRun(jobId: string): Run {
    const run = runs.get(jobId)
    if (!run) throw new NotFound('Job')
    return run
  }

  function end(run: Run, changes: Partial<JobView>): void {
    if (isTerminal(run.view.status)) return
    run.view = { ...run.view, ...changes, waitingFor: [], finished_at: new Date().toISOString() }
    run.ended.dispatchEvent(new Event('ended'))
  }

  function goOn(run: Run): void {
    const { seconds, ending } = run.plan
    const changes: Partial<JobView> =
      'result' in ending
        ? { status: 'completed', result: ending.result }
        : { status: 'failed', error: { code: 'STEP_FAILED', message: ending.error }, failedReason: ending.error }
    setTimeout(() => end(run, changes), seconds * 1_000).unref()
  }

  return {
    start(plan) {
      const jobId = `fixture-${randomUUID()}`
      const waitingFor = plan.questions?.map(title => buildQuestion(title))
      const view: JobView = { ...jobDetail(jobId, waitingFor ? 'waiting' : 'running'), waitingFor }
      const run = { plan, view, ended: new EventTarget() }
      runs.set(jobId, run)
      if (!waitingFor) goOn(run)
      return jobId
    },
    async waitForResult(_, jobId, signal) {
      const run = getRun(jobId)
      if (!isTerminal(run.view.status) && run.view.status !== 'waiting') await once(run.ended, 'ended', { signal })
      return run.view as never
    },
    jobs: {
      status: async (_, jobId) => getRun(jobId).view,
      async answer(_, jobId, questionId) {
        const run = getRun(jobId)
        const waitingFor = run.view.waitingFor?.filter(one => one.interventionId !== questionId)
        run.view = { ...run.view, waitingFor, ...(waitingFor?.length === 0 && { status: 'running' }) }
        if (run.view.status === 'running') goOn(run)
        return run.view as never
      },
      async cancel(_, jobId) {
        const failedReason = 'cancelled by the client'
        end(getRun(jobId), { status: 'failed', error: { code: 'CANCELLED', message: failedReason }, failedReason })
        return { status: 'cancelled' } as never
      },
    },
  }
}

const buildQuestion = (title: string): WaitingFor => ({
  interventionId: randomUUID(),
  kind: 'form',
  title,
  node_id: 'ask',
  actions: ['submit_input'],
  form: { type: 'object', properties: { confirm: { type: 'boolean' } } },
  assignees: [],
  quorum: 1,
  approvals: 0,
  opened_at: new Date().toISOString(),
})

const DEFECT = 'a defect'
const SLOWLY = 0.5
const PLANS: Record<string, (args: Record<string, unknown>) => Plan> = {
  slow_compute: ({ seconds = 1, label = 'done' }) => ({ seconds: Number(seconds), ending: { result: String(label) } }),
  failing_job: () => ({ seconds: SLOWLY, ending: { error: 'this tool always fails' } }),
  protocol_error_job: () => ({ seconds: SLOWLY, ending: { error: DEFECT } }),
  confirm_delete: () => ({ seconds: 0, questions: ['Delete it?'], ending: { result: 'deleted' } }),
  multi_input: () => ({ seconds: 0, questions: ['The first?', 'The second?'], ending: { result: 'both' } }),
}
/** Tools that only clients with task support may call. */
const REQUIRES_TASKS = new Set(['failing_job', 'test_tool_with_task'])
const WITH_NAME = 'test_tool_with_task'

export const TASK_TOOLS = ['greet', ...Object.keys(PLANS), WITH_NAME]

/**
 * Returns a run that failed because of a defect as a failed task. The service has no such tasks, because even failed
 * runs return results.
 */
export function showDefect(task: Record<string, unknown>): Record<string, unknown> {
  const { result, ...about } = task
  if (!JSON.stringify(result ?? null).includes(DEFECT)) return task
  return { ...about, status: 'failed', error: { code: -32_603, message: DEFECT } }
}

/** Calls one of the task fixtures' tools. Returns undefined for other tools. */
export async function callTaskTool(
  runs: FixtureRuns,
  { name, arguments: args = {} }: { name: string; arguments?: Record<string, unknown> },
  ctx: ServerContext,
): Promise<CallToolResult | undefined> {
  if (!TASK_TOOLS.includes(name)) return undefined
  if (name === 'greet') return { content: [{ type: 'text', text: `Hello, ${String(args.name)}!` }] }
  const declared = readDeclared(ctx)
  if (REQUIRES_TASKS.has(name) && !declared.tasks)
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } } })
  const plan = name === WITH_NAME ? planWithName(ctx) : PLANS[name]?.(args)
  if (!plan) return askName() as unknown as CallToolResult
  const deps = runs as unknown as Parameters<typeof followAsTask>[0]
  const follow = declared.tasks ? followAsTask(deps) : followByWaiting(deps, { forms: false }, async () => '')
  const principal = { groups: [], actor: 'user:ann' } as unknown as Principal
  const call = { principal, permissions: new Set<never>(), signal: ctx.mcpReq.signal }
  return (await follow({ job_id: runs.start(plan) }, call)) as CallToolResult
}

function planWithName({ mcpReq }: ServerContext): Plan | undefined {
  const accepted = acceptedContent(mcpReq.inputResponses, 'user_name', z.object({ name: z.string() }))
  return accepted && { seconds: 0, ending: { result: `Hello, ${accepted.name}!` } }
}

const askName = () =>
  inputRequired({
    inputRequests: {
      user_name: inputRequired.elicit({
        mode: 'form',
        message: 'What is your name?',
        requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
      }),
    },
  })
