import type { JobRef } from '../../domain/jobs.ts'
import type { Principal } from '../../domain/principal.ts'

/** Returns the principal of a run: its requester, limited to the brains that the run may see. */
export function toPrincipal({ job, requester }: { job: JobRef; requester: string }): Principal {
  const { workspace_id, brain_id, brain_ids = null, job_id, person = requester } = job
  return {
    workspace_id,
    workspace_slug: '',
    key_id: `job:${job_id}`,
    actor: requester,
    person,
    groups: [],
    brain_id,
    brain_ids,
  }
}
