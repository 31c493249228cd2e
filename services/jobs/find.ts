import type { Tx } from '../../data/database.ts'
import { findJob } from '../../data/jobs-store.ts'
import { NotFound } from '../../domain/errors.ts'
import type { JobRecord } from '../../domain/jobs.ts'
import type { Principal } from '../../domain/principal.ts'

/** A credential bound to brains sees their jobs and those of no brain. */
export const mayTouch = (who: Principal, brainId: string | null): boolean =>
  who.brain_ids === null || brainId === null || who.brain_ids.includes(brainId)

/** Throws NotFound for what is not there, is another workspace's, or belongs to a brain out of reach. */
export async function requireJob(tx: Tx, who: Principal, jobId: string): Promise<JobRecord> {
  const job = await findJob(tx, jobId)
  if (!job || !mayTouch(who, job.brain_id)) throw new NotFound('Job')
  return job
}
