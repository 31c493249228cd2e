import type { AuditAuthor } from '../../../data/audit/audit-store.ts'
import type { Tx } from '../../../data/shared/database.ts'
import { insertChildJob, type NewJob } from '../../../data/runs/jobs-store.ts'
import { requireRight } from '../../../domain/access/rights.ts'
import type { JobRef } from '../../../domain/runs/jobs.ts'
import { writeJobStart } from './job-starter.ts'

/**
 * Writes the row and the audit entry of a child run, which has the rights of its parent. A repeat changes nothing. Throws
 * StepError FORBIDDEN, and ValidationError.
 */
export async function startChild(tx: Tx, job: JobRef, requester: string, row: NewJob): Promise<void> {
  requireRight(job, 'jobs:start')
  if (await insertChildJob(tx, row)) await writeJobStart(tx, buildRunAuthor(job, requester), row)
}

/** The author of what a run does: its requester, with the run as credential. */
export const buildRunAuthor = ({ job_id, people }: JobRef, requester: string): AuditAuthor => ({
  actor: requester,
  person: people[0] ?? requester,
  key_id: `job:${job_id}`,
})
