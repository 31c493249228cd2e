import { intersectRights } from '../../../domain/access/rights.ts'
import { joinLabels, buildLabelField } from '../../../domain/pathways/labels/labels.ts'
import type { JobRef } from '../../../domain/runs/jobs.ts'
import type { JobRecord } from '../../../data/runs/jobs-store.ts'
import type { ClaimedJob } from '../start/job-starter.ts'
import type { ForkAsk } from './fork-ask.ts'

/**
 * The fork belongs to the run's brain. Its access is limited to what both the run and the caller may do. A reopened
 * decision is made by the same people, so its fork keeps the run's rights.
 */
export function createForkJobRef(
  { job }: ClaimedJob,
  row: JobRecord,
  { people, kind }: { people: string[]; kind: ForkAsk['kind'] },
): JobRef {
  const { requester_brains, brain_id, rights } = row
  const brain_ids =
    job.brain_ids && requester_brains
      ? job.brain_ids.filter(id => requester_brains.includes(id))
      : (job.brain_ids ?? requester_brains ?? undefined)
  const keptRights = kind === 'reopen' ? rights : intersectRights(rights, job.rights)
  const labels = buildLabelField(joinLabels(row.labels, job.labels))
  return { ...job, ...labels, brain_id: brain_id ?? undefined, brain_ids, people, rights: keptRights }
}
