import { JOB_KINDS } from '../../../domain/runs/jobs.ts'
import { WORKSPACE } from '../../../workflows/shared/run/attributes.ts'
import type { Temporal } from '../../shared/temporal.ts'

/** The workflow of a job has the name of its kind. Other workflows, such as webhook deliveries, have no job. */
const RUNS: ReadonlySet<string> = new Set(JOB_KINDS)
const PAGE = 1_000
const LIST_MS = 300_000

export interface OpenWorkflows {
  /** Workspace slugs of the runs of jobs, by job id. */
  runs: Map<string, string | undefined>
  /** Ids of the other workflows, such as webhook deliveries. */
  others: Set<string>
}

/** Lists the open workflows of the installation. Lists may be outdated by seconds. Throws Unavailable. */
export async function listOpenWorkflows(temporal: Temporal): Promise<OpenWorkflows> {
  const query = `ExecutionStatus = 'Running' AND TaskQueue = ${JSON.stringify(temporal.taskQueue)}`
  const open: OpenWorkflows = { runs: new Map(), others: new Set() }
  await temporal.call(async ({ workflow }) => {
    for await (const { workflowId, type, typedSearchAttributes } of workflow.list({ query, pageSize: PAGE }))
      if (RUNS.has(type)) open.runs.set(workflowId, typedSearchAttributes.get(WORKSPACE))
      else open.others.add(workflowId)
  }, LIST_MS)
  return open
}
