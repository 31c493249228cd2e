import { writeAudit } from '../../../data/audit/audit-store.ts'
import type { Tx } from '../../../data/shared/database.ts'
import {
  copyNodes,
  type ForkChanges,
  type ForkDecisions,
  insertFork,
  lockRetried,
} from '../../../data/runs/job-forks-store.ts'
import type { JobRef } from '../../../domain/runs/jobs.ts'
import type { NodeMilestone } from '../../../domain/runs/nodes.ts'
import type { JobRecord } from '../../../data/runs/jobs-store.ts'
import type { JsonValue } from '../../../domain/shared/json/json.ts'
import type { RecordedNode } from '../../../domain/pathways/fork/types.ts'
import { buildBulkDetails } from '../../../domain/runs/bulk/bulk.ts'
import { Conflict } from '../../../domain/shared/errors.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import type { ForkAsk } from './fork-ask.ts'

interface RecordedFork extends Pick<ForkAsk, 'kind' | 'reason' | 'bulk_job_id'> {
  job: JobRef
  origin: JobRecord
  /** Null if the fork retries all uncompleted nodes. */
  from_node: string | null
  changes: ForkChanges
  decisions: ForkDecisions
  /** Keys of the copied nodes. */
  copied: string[]
  /** Outputs that are missing from the node rows, by node key. */
  outputs?: Record<string, JsonValue>
}

/**
 * Writes the fork, the copied nodes and the audit entry in the job's transaction. Throws Conflict if a bulk job
 * retries a run that has already been retried.
 */
export async function recordFork(
  tx: Tx,
  principal: Principal,
  { job, origin, kind, from_node, reason, changes, decisions, copied, outputs = {}, bulk_job_id }: RecordedFork,
): Promise<void> {
  const fork = { job_id: job.job_id, origin_job_id: origin.job_id }
  if (bulk_job_id !== undefined && (await lockRetried(tx, origin.job_id)))
    throw new Conflict('The run has already been retried')
  const { actor } = principal
  await insertFork(tx, { ...fork, kind, from_key: from_node, actor, reason: reason ?? null, changes, decisions })
  await copyNodes(tx, fork, copied, outputs)
  await writeAudit(tx, principal, {
    action: 'job.fork',
    target: origin.job_id,
    brain_id: origin.brain_id,
    details: {
      job_id: job.job_id,
      kind,
      from_node,
      outputs: changes.outputs,
      asked_again: decisions.asked_again.map(({ key }) => key),
      repeated: decisions.repeated.map(({ key }) => key),
      ...buildBulkDetails(bulk_job_id, reason),
    },
  })
}

/** Returns the milestones that the new run displays for its copied nodes. */
export function showCopied(nodes: RecordedNode[], copied: string[], at: string): NodeMilestone[] {
  const copiedKeys = new Set(copied)
  return nodes
    .filter(({ key }) => copiedKeys.has(key))
    .map(({ key, node_id, node_type, status, port }) => ({ key, node_id, node_type, status, port, at }))
}
