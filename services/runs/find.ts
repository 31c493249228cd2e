import type { Tx } from '../../data/shared/database.ts'
import { findInterventionsById, type InterventionRecord } from '../../data/people/interventions-store.ts'
import { findJob, findJobs, type JobRecord } from '../../data/runs/jobs-store.ts'
import { NotFound } from '../../domain/shared/errors.ts'
import type { Principal } from '../../domain/access/principal.ts'
import { canReadBrain } from '../access/brains.ts'

/** Throws NotFound, including for a job in another workspace or in a brain that the principal cannot see. */
export async function getJob(tx: Tx, principal: Principal, jobId: string): Promise<JobRecord> {
  const job = await findJob(tx, jobId)
  if (!job || !canReadBrain(principal, job.brain_id)) throw new NotFound('Job')
  return job
}

/** Returns several jobs, in the order of the given ids. Throws the same errors as `getJob`. */
export async function getJobs(tx: Tx, principal: Principal, jobIds: string[]): Promise<JobRecord[]> {
  const visible = await findVisibleJobs(tx, principal, jobIds)
  return jobIds.map(id => {
    const job = visible.get(id)
    if (!job) throw new NotFound('Job')
    return job
  })
}

async function findVisibleJobs(tx: Tx, principal: Principal, jobIds: string[]): Promise<Map<string, JobRecord>> {
  const jobs = jobIds.length > 0 ? await findJobs(tx, [...new Set(jobIds)]) : []
  return new Map(jobs.filter(job => canReadBrain(principal, job.brain_id)).map(job => [job.job_id, job]))
}

/** An intervention with its job. */
export interface FoundIntervention {
  record: InterventionRecord
  job: JobRecord
}

/** Throws NotFound in the same cases as `getJob`. */
export async function getIntervention(tx: Tx, principal: Principal, id: string): Promise<FoundIntervention> {
  const intervention = (await findVisibleInterventions(tx, principal, [id])).get(id)
  if (!intervention) throw new NotFound('Intervention')
  return intervention
}

/** Returns the interventions that the principal may see, by id. */
export async function findVisibleInterventions(
  tx: Tx,
  principal: Principal,
  ids: string[],
): Promise<Map<string, FoundIntervention>> {
  const records = await findInterventionsById(tx, ids)
  const jobs = await findVisibleJobs(
    tx,
    principal,
    records.map(({ job_id }) => job_id),
  )
  return new Map(
    records.flatMap(record => {
      const job = jobs.get(record.job_id)
      return job ? [[record.id, { record, job }] as const] : []
    }),
  )
}
