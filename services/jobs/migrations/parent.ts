import type { Database } from '../../../data/database.ts'
import { findJob } from '../../../data/jobs-store.ts'
import type { JobSummary } from '../../../domain/jobs.ts'
import { describeFourEyes } from '../../../domain/pathway/four-eyes.ts'
import type { Principal } from '../../../domain/principal.ts'
import { hasExcludedRequester, pinFollowed } from '../followed.ts'

/**
 * Says why the principal may not change a child run: it may serve a decision of the run that started it, of which the child
 * does not know. Undefined if it may.
 */
export async function findParentProblem(
  db: Database,
  principal: Principal,
  { parent_job_id, root_job_id, requester, requester_person, workspace_id }: JobSummary,
): Promise<string | undefined> {
  if (parent_job_id === null || principal.person === (requester_person ?? requester)) return undefined
  const followed = await db.inWorkspace(workspace_id, async tx => {
    const root = await findJob(tx, root_job_id)
    return root && pinFollowed(tx, principal, root)
  })
  return followed && hasExcludedRequester(followed) ? describeFourEyes(requester) : undefined
}
