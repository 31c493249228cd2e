import type { Temporal } from '../../shared/temporal.ts'

/**
 * Returns the id of the job with this Temporal run id. Returns undefined if Temporal does not list the run or is
 * unavailable.
 */
export async function findJobIdByRun(temporal: Temporal, runId: string): Promise<string | undefined> {
  const query = `RunId = ${JSON.stringify(runId)}`
  const pendingJobId = temporal.call(async ({ workflow }) => {
    for await (const { workflowId } of workflow.list({ query, pageSize: 1 })) return workflowId
    return undefined
  })
  return pendingJobId.catch(() => undefined)
}
