import { isUnknownRun, type Temporal } from '../../shared/temporal.ts'

/** `deleting`: Temporal deletes asynchronously, usually within seconds. */
export type HistoryState = 'open' | 'deleting' | 'deleted'

/** Deletes a run's history from Temporal, unless the run is open. Throws Unavailable. */
export async function deleteHistory(temporal: Temporal, jobId: string): Promise<HistoryState> {
  const last = await orUndefined(temporal.call(() => temporal.handle(jobId).describe()))
  if (!last) return 'deleted'
  if (last.status.name === 'RUNNING') return 'open'
  // Delete the latest run last, because the remaining runs are found through it after an interruption.
  for (const runId of (await listRuns(temporal, jobId, last.runId)).toReversed()) {
    await orUndefined(
      temporal.call(({ workflowService, options: { namespace } }) =>
        workflowService.deleteWorkflowExecution({ namespace, workflowExecution: { workflowId: jobId, runId } }),
      ),
    )
  }
  return 'deleting'
}

/** Lists the ids of a run and its predecessors, latest first. A run with a long history continues as a new run. */
async function listRuns(temporal: Temporal, jobId: string, runId: string): Promise<string[]> {
  const former = await readContinuedRun(temporal, jobId, runId)
  return former ? [runId, ...(await listRuns(temporal, jobId, former))] : [runId]
}

async function readContinuedRun(temporal: Temporal, workflowId: string, runId: string): Promise<string | undefined> {
  const page = await orUndefined(
    temporal.call(({ workflowService, options: { namespace } }) =>
      workflowService.getWorkflowExecutionHistory({
        namespace,
        execution: { workflowId, runId },
        maximumPageSize: 1,
      }),
    ),
  )
  return page?.history?.events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId ?? undefined
}

/** Resolves with undefined if the run no longer exists in Temporal. */
async function orUndefined<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call
  } catch (error) {
    if (isUnknownRun(error)) return undefined
    throw error
  }
}
