import { randomUUID } from 'node:crypto'
import type { Tx } from '../../../data/shared/database.ts'
import { findJob, insertJob, type JobRecord } from '../../../data/runs/jobs-store.ts'
import { RIGHTS } from '../../../domain/access/rights.ts'
import type { JobRef } from '../../../domain/runs/jobs.ts'
import type { NodeMilestone } from '../../../domain/runs/nodes.ts'
import type { RecordInput } from '../../../domain/runs/run-records.ts'
import { createSigner } from '../../../services/people/evidence/signer.ts'
import { createProjections, type Projections } from '../../../services/runs/projections.ts'
import { createTestDatabase } from '../stack/database.ts'
import { createPrincipal } from '../shared/workspace.ts'

/** Jobs in one workspace in a separate database, and the projections that write them. */
export interface ProjectionFixture {
  projections: Projections
  inside<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Returns a job without a row. */
  refTo(): JobRef
  startJob(): Promise<JobRef>
  jobOf(job: JobRef): Promise<JobRecord>
  close(): Promise<void>
}

export async function createProjectionFixture(): Promise<ProjectionFixture> {
  const database = await createTestDatabase()
  const { workspace_id } = await createPrincipal(database.db)
  const inside: ProjectionFixture['inside'] = work => database.db.inWorkspace(workspace_id, work)
  const refTo = () => {
    const job_id = `x-${randomUUID()}`
    return { job_id, root_job_id: job_id, workspace_id, people: ['user:ann'], rights: [...RIGHTS] }
  }
  return {
    projections: createProjections({ db: database.db, signer: createSigner({}) }),
    inside,
    refTo,
    async startJob() {
      const job = refTo()
      const row = { ...job, brain_id: null, parent_key: null, pathway_id: null, pathway_version: null, title: 'T' }
      await inside(tx => insertJob(tx, { ...row, requester: 'user:ann', input: { b: 1, a: 2 } }))
      return job
    },
    async jobOf(job) {
      const row = await inside(tx => findJob(tx, job.job_id))
      if (!row) throw new Error('the job is not there')
      return row
    },
    close: database.drop,
  }
}

/** Returns the time at a second in the first minute of 2100, which is later than the creation of every job. */
export const at = (second: number): string => new Date(Date.UTC(2100, 0, 1, 0, 0, second)).toISOString()

export const record = (job: JobRef, more: Partial<RecordInput> = {}): RecordInput => ({
  job,
  nodes: [],
  interventions: [],
  ...more,
})

export const node = (
  status: NodeMilestone['status'],
  second: number,
  more: Partial<NodeMilestone> = {},
): NodeMilestone => ({
  key: 'a',
  node_id: 'a',
  node_type: 'http',
  status,
  at: at(second),
  ...more,
})
