import type { Tx } from '../../data/database.ts'
import { findJob } from '../../data/jobs-store.ts'
import { NotFound } from '../../domain/errors.ts'
import type { JobRecord } from '../../domain/jobs.ts'
import type { Principal } from '../../domain/principal.ts'

/** A credential bound to brains sees their jobs and those of no brain. */
export const mayTouch = (principal: Principal, brainId: string | null): boolean =>
  principal.brain_ids === null || brainId === null || principal.brain_ids.includes(brainId)

/** Throws NotFound for what is not there, is another workspace's, or belongs to a brain out of reach. */
export async function requireJob(tx: Tx, principal: Principal, jobId: string): Promise<JobRecord> {
  const job = await findJob(tx, jobId)
  if (!job || !mayTouch(principal, job.brain_id)) throw new NotFound('Job')
  return job
}
