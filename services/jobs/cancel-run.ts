import { WorkflowNotFoundError } from '@temporalio/client'
import { writeAudit } from '../../data/audit-store.ts'
import type { Database } from '../../data/database.ts'
import { setCancelledBy } from '../../data/jobs-store.ts'
import type { JobRecord } from '../../domain/jobs.ts'
import type { Principal } from '../../domain/principal.ts'
import type { Temporal } from '../temporal.ts'

/** Calls a run. One that has ended is no error: the status that follows shows it. */
export async function callRun(temporal: Temporal, work: () => Promise<unknown>): Promise<void> {
  await temporal.call(work).catch((error: unknown) => {
    if (!(error instanceof WorkflowNotFoundError)) throw error
  })
}

/** Asks a run to stop. The audit line is written before the run receives the request. */
export async function requestCancel(
  { db, temporal }: { db: Database; temporal: Temporal },
  principal: Principal,
  { job_id, brain_id }: Pick<JobRecord, 'job_id' | 'brain_id'>,
): Promise<void> {
  await db.inWorkspace(principal.workspace_id, async tx => {
    await setCancelledBy(tx, job_id, principal.actor)
    await writeAudit(tx, principal, { action: 'job.cancel', target: job_id, brain_id })
  })
  await callRun(temporal, () => temporal.handle(job_id).cancel())
}
