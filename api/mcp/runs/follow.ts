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

/** Returns the run as a task immediately. The client then follows the task. */
export const followAsTask =
  ({ jobs }: Deps): Follow =>
  async ({ job_id }, { principal }) => {
    const job = await jobs.status(principal, job_id)
    const { taskId, createdAt, lastUpdatedAt, ttlMs, pollIntervalMs } = presentTask(job, principal, { forms: false })
    const task = { resultType: 'task', status: 'working', taskId, createdAt, lastUpdatedAt, ttlMs, pollIntervalMs }
    return task as unknown as CallToolResult
  }

/**
 * Waits for the run within the time limit of a call. A client that can ask its user receives the open questions, and
 * calls again with the answers and the signed state.
 */
export const followByWaiting =
  (deps: Deps, { forms }: Pick<ClientAbilities, 'forms'>, seal: (jobId: string) => Promise<string>): Follow =>
  async ({ job_id }, call): Promise<CallToolResult | InputRequiredResult> => {
    const job = await waitForRun(deps, call, job_id)
    const inputRequests = forms && job.status === 'waiting' ? buildForms(job.waitingFor ?? [], call.principal) : {}
    if (Object.keys(inputRequests).length > 0) return inputRequired({ inputRequests, requestState: await seal(job_id) })
    return { ...createToolResult(presentOutcome(job)), ...(job.status === 'failed' && { isError: true }) }
  }

/** Hosts allow about a minute per call. A shorter wait stays well within that limit. */
const MAX_WAIT_MS = 20_000

/** Waits at most 20 s for a run to end, be paused or wait for people. A disconnect doesn't stop the run. */
async function waitForRun(
  { jobs, waitForResult }: Pick<McpDeps, 'jobs' | 'waitForResult'>,
  { principal, signal }: Pick<ToolCall, 'principal' | 'signal'>,
  jobId: string,
): Promise<JobView> {
  const enough = AbortSignal.any([signal, AbortSignal.timeout(MAX_WAIT_MS)])
  await waitForResult(principal, jobId, enough).catch((error: unknown) => {
    // The job contains the reason.
    if (!(error instanceof RunFailed)) throw error
  })
  return jobs.status(principal, jobId)
}
