import type { AuditAuthor } from '../../../data/audit/audit-store.ts'
import type { Tx } from '../../../data/shared/database.ts'
import { insertChildJob, type NewJob } from '../../../data/runs/jobs-store.ts'
import { requireRight } from '../../../domain/access/rights.ts'
import type { JobRef } from '../../../domain/runs/jobs.ts'
import { writeJobStart } from './job-starter.ts'

/**
 * Writes a child run's row and audit entry. The child run has its parent's rights. Repeating the call has no effect.
 * Throws StepError FORBIDDEN, and ValidationError.
 */
export async function startChild(tx: Tx, job: JobRef, requester: string, row: NewJob): Promise<void> {
  requireRight(job, 'jobs:start')
  if (await insertChildJob(tx, row)) await writeJobStart(tx, buildRunAuthor(job, requester), row)
}

/** Returns the author of a run's changes: the run's requester, with the run as the credential. */
export const buildRunAuthor = ({ job_id, people }: JobRef, requester: string): AuditAuthor => ({
  actor: requester,
  person: people[0] ?? requester,
  key_id: `job:${job_id}`,
})
