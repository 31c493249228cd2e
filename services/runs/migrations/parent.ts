import type { Database } from '../../../data/shared/database.ts'
import { findJob, type JobRecord, type JobSummary } from '../../../data/runs/jobs-store.ts'
import { listDecisionsBefore } from '../../../domain/pathways/decisions/covers.ts'
import { compileGraph } from '../../../domain/pathways/graph.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import { pinFollowed } from '../followed.ts'

/**
 * Says why a child run may not follow another version: a run above it has asked people before it started the child, and they
 * decided about the version that the child has. Undefined if it may.
 */
export async function findParentProblem(
  db: Database,
  principal: Principal,
  { parent_job_id, parent_key, workspace_id }: Pick<JobSummary, 'parent_job_id' | 'parent_key' | 'workspace_id'>,
): Promise<string | undefined> {
  if (parent_job_id === null || parent_key === null) return undefined
  const parentRun = await db.inWorkspace(workspace_id, async tx => {
    const parent = await findJob(tx, parent_job_id)
    return parent?.kind === 'pathway' ? { parent, followed: await pinFollowed(tx, principal, parent) } : undefined
  })
  if (!parentRun) return undefined
  const { parent, followed: parentPathway } = parentRun
  const [decision] = listDecisionsBefore(
    compileGraph(parentPathway.pathway.definition, { pins: parentPathway.pins }),
    parent_key,
  )
  return decision === undefined ? findParentProblem(db, principal, parent) : describeProblem(parent, decision)
}

const describeProblem = ({ job_id, root_job_id }: JobRecord, decision: string): string =>
  `people decided at ${decision} of ${job_id} about the version of this child run, which has begun: fork ${root_job_id} to ask them again`
