import type { Database } from '../../../data/shared/database.ts'
import { insertJob } from '../../../data/runs/jobs-store.ts'
import { PERMISSIONS } from '../../../domain/access/permissions.ts'
import type { JobRef } from '../../../domain/runs/jobs.ts'
import type { Intervention, InterventionChange, Vote } from '../../../domain/people/intervention.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import { createEvidence } from '../../../services/people/evidence/evidence.ts'
import type { Evidence } from '../../../contract/people/evidence.ts'
import type { Signer } from '../../../services/people/evidence/signer.ts'
import { createProjections } from '../../../services/runs/projections.ts'
import { buildIntervention } from './interventions.ts'
import { record } from '../runs/projection-fixture.ts'

export interface DecidedTask {
  intervention: Intervention
  job: JobRef
}

/**
 * Records a run whose votes are counted one after another, each in a separate transaction. By default, the last vote
 * decides.
 */
export async function decide(
  { db, signer, principal }: { db: Database; signer: Signer; principal: Principal },
  votes: Vote[],
  { isDecided = true, ...more }: Partial<Intervention> & { isDecided?: boolean } = {},
): Promise<DecidedTask> {
  const intervention = buildIntervention({
    assignees: ['group:finance', 'user:cfo'],
    quorum: votes.length,
    excluded: ['user:ann'],
    ...more,
  })
  const { workspace_id } = principal
  const job_id = `x-${intervention.id}`
  const job = { job_id, root_job_id: job_id, workspace_id, people: ['user:ann'], rights: [] }
  const row = { ...job, brain_id: null, parent_key: null, pathway_id: null, pathway_version: null, title: 'T' }
  await db.inWorkspace(workspace_id, tx => insertJob(tx, { ...row, requester: 'user:ann', input: {} }))
  const projections = createProjections({ db, signer })
  const changes: InterventionChange[] = [{ change: 'opened', intervention }]
  for (const [i, vote] of votes.entries()) {
    const isLast = isDecided && i === votes.length - 1
    changes.push({
      change: 'answered',
      id: intervention.id,
      vote,
      decided: isLast,
      decision: isLast ? vote : undefined,
    })
    await projections.applyRecord(record(job, { interventions: changes }))
  }
  return { intervention, job }
}

/** Reads the evidence as a client with all permissions does. */
export async function readEvidence(
  { db, signer, principal }: { db: Database; signer: Signer; principal: Principal },
  id: string,
): Promise<Evidence> {
  const reader = { ...principal, permissions: new Set(PERMISSIONS) }
  return JSON.parse(JSON.stringify(await createEvidence({ db, signer }).read(reader, id))) as Evidence
}
