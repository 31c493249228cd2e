import type { JobRecord, JobRef } from '../../../domain/jobs.ts'
import type { ClaimedJob } from '../job-starter.ts'

/** The fork belongs to the brain of the run, and sees no more than both it and the caller may. */
export function toForkJob({ job }: ClaimedJob, row: JobRecord, people: string[]): JobRef {
  const { requester_brains, brain_id } = row
  const brain_ids =
    job.brain_ids && requester_brains
      ? job.brain_ids.filter(id => requester_brains.includes(id))
      : (job.brain_ids ?? requester_brains ?? undefined)
  return { ...job, brain_id: brain_id ?? undefined, brain_ids, people }
}
