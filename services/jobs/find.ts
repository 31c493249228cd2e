import type { Tx } from '../../data/database.ts'
import { findJob } from '../../data/jobs-store.ts'
import { NotFound } from '../../domain/errors.ts'
import type { JobRecord } from '../../domain/jobs.ts'
import type { Principal } from '../../domain/principal.ts'

/** A credential that is bound to brains sees their resources and those without a brain. */
export const canAccessBrain = (principal: Principal, brainId: string | null): boolean =>
  principal.brain_ids === null || brainId === null || principal.brain_ids.includes(brainId)

/** Throws NotFound, also for a job of another workspace or of a brain that is not visible to the principal. */
export async function getJobOrThrow(tx: Tx, principal: Principal, jobId: string): Promise<JobRecord> {
  const job = await findJob(tx, jobId)
  if (!job || !canAccessBrain(principal, job.brain_id)) throw new NotFound('Job')
  return job
}
