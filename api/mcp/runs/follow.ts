import { type CallToolResult, inputRequired, type InputRequiredResult } from '@modelcontextprotocol/server'
import { type Follow, createToolResult } from '../calls/call-tool.ts'
import type { ClientAbilities } from '../protocol/capabilities.ts'
import type { McpDeps } from '../mcp-deps.ts'
import { buildForms } from '../questions/elicitation.ts'
import { presentTask } from '../tasks/task.ts'
import { presentOutcome } from './run-outcome.ts'
import { waitForRun } from './wait-for-run.ts'

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
