import { type CallToolResult, inputRequired, type InputRequiredResult } from '@modelcontextprotocol/server'
import { type Follow, createToolResult } from '../calls/call-tool.ts'
import type { ClientAbilities } from '../protocol/capabilities.ts'
import type { McpDeps } from '../mcp-deps.ts'
import { buildForms } from '../questions/elicitation.ts'
import { presentTask } from '../tasks/task.ts'
import { presentOutcome } from './run-outcome.ts'
import { RunFailed } from '../../../domain/shared/errors.ts'
import type { JobView } from '../../../contract/runs/job.ts'
import type { ToolCall } from '../tools/tool.ts'

type Deps = Pick<McpDeps, 'jobs' | 'waitForResult'>

/** Answers with the run as a task at once: the client follows it. */
export const followAsTask =
  ({ jobs }: Deps): Follow =>
  async ({ job_id }, { principal }) => {
    const job = await jobs.status(principal, job_id)
    const { taskId, createdAt, lastUpdatedAt, ttlMs, pollIntervalMs } = presentTask(job, principal, { forms: false })
    const task = { resultType: 'task', status: 'working', taskId, createdAt, lastUpdatedAt, ttlMs, pollIntervalMs }
    return task as unknown as CallToolResult
  }

/**
 * Waits for the run as long as a call may take. A client that can ask its user is asked what the run waits for, and calls
 * again with the answers and the sealed state.
 */
export const followByWaiting =
  (deps: Deps, { forms }: Pick<ClientAbilities, 'forms'>, seal: (jobId: string) => Promise<string>): Follow =>
  async ({ job_id }, call): Promise<CallToolResult | InputRequiredResult> => {
    const job = await waitForRun(deps, call, job_id)
    const inputRequests = forms && job.status === 'waiting' ? buildForms(job.waitingFor ?? [], call.principal) : {}
    if (Object.keys(inputRequests).length > 0) return inputRequired({ inputRequests, requestState: await seal(job_id) })
    return { ...createToolResult(presentOutcome(job)), ...(job.status === 'failed' && { isError: true }) }
  }

/** Hosts give a call about a minute; a shorter wait keeps the answer out of the reach of their limits. */
const MAX_WAIT_MS = 20_000

/** Waits until a run ends, waits for people or is paused, but not longer than 20 s. A call that is left ends no run. */
async function waitForRun(
  { jobs, waitForResult }: Pick<McpDeps, 'jobs' | 'waitForResult'>,
  { principal, signal }: Pick<ToolCall, 'principal' | 'signal'>,
  jobId: string,
): Promise<JobView> {
  const enough = AbortSignal.any([signal, AbortSignal.timeout(MAX_WAIT_MS)])
  await waitForResult(principal, jobId, enough).catch((error: unknown) => {
    // The job has the reason.
    if (!(error instanceof RunFailed)) throw error
  })
  return jobs.status(principal, jobId)
}
