import { RunFailed } from '../../../domain/shared/errors.ts'
import type { JobView } from '../../../contract/runs/job.ts'
import type { McpDeps } from '../mcp-deps.ts'
import type { ToolCall } from '../tools/tool.ts'

/** Hosts give a call about a minute; a shorter wait keeps the answer out of the reach of their limits. */
const MAX_WAIT_MS = 20_000

/** Waits until a run ends, waits for people or is paused, but not longer than 20 s. A call that is left ends no run. */
export async function waitForRun(
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
