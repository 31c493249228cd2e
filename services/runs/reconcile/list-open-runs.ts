import { WORKSPACE } from '../../../workflows/shared/run/attributes.ts'
import { SCHEDULED_FIRING_WORKFLOW } from '../../../workflows/triggers/scheduled-firing-messages.ts'
import { RETENTION_WORKFLOW } from '../../../workflows/audit/retention-messages.ts'
import { WEBHOOK_DELIVERY_WORKFLOW } from '../../../workflows/webhooks/delivery-messages.ts'
import type { Temporal } from '../../shared/temporal.ts'

/** Workflows that are not runs of a job. */
const OTHERS: ReadonlySet<string> = new Set([SCHEDULED_FIRING_WORKFLOW, WEBHOOK_DELIVERY_WORKFLOW, RETENTION_WORKFLOW])
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
      if (OTHERS.has(type)) open.others.add(workflowId)
      else open.runs.set(workflowId, typedSearchAttributes.get(WORKSPACE))
  }, LIST_MS)
  return open
}
