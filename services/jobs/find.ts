import type { Tx } from '../../data/database.ts'
import { findIntervention, type InterventionRecord } from '../../data/interventions-store.ts'
import { findJob } from '../../data/jobs-store.ts'
import { NotFound } from '../../domain/errors.ts'
import type { JobRecord } from '../../domain/jobs.ts'
import type { Principal } from '../../domain/principal.ts'
import { canReadBrain } from '../access/brains.ts'

/** Throws NotFound, also for a job of another workspace or of a brain that is not visible to the principal. */
export async function getJobOrThrow(tx: Tx, principal: Principal, jobId: string): Promise<JobRecord> {
  const job = await findJob(tx, jobId)
  if (!job || !canReadBrain(principal, job.brain_id)) throw new NotFound('Job')
  return job
}

/** The same for an intervention, with its job. */
export async function getIntervention(
  tx: Tx,
  principal: Principal,
  id: string,
): Promise<{ record: InterventionRecord; job: JobRecord }> {
  const record = await findIntervention(tx, id)
  const job = record && (await findJob(tx, record.job_id))
  if (!record || !job || !canReadBrain(principal, job.brain_id)) throw new NotFound('Intervention')
  return { record, job }
}
