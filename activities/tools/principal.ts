import type { JobRef } from '../../domain/runs/jobs.ts'
import type { Principal } from '../../domain/access/principal.ts'
import { getBrainAccess } from '../../services/access/brains.ts'

/** Returns a run's principal: the run's requester, limited to the run's brain and rights. */
export function buildPrincipal({ job, requester }: { job: JobRef; requester: string }): Principal {
  const { workspace_id, job_id, people, rights } = job
  return {
    workspace_id,
    workspace_slug: '',
    key_id: `job:${job_id}`,
    actor: requester,
    person: people[0] ?? requester,
    people,
    groups: [],
    permissions: new Set(rights),
    ...getBrainAccess(job),
  }
}
