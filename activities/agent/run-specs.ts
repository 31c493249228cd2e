import { LRUCache } from 'lru-cache'
import type { Database } from '../../data/database.ts'
import { findRunSpec } from '../../data/traces-store.ts'
import type { JobRef } from '../../domain/jobs.ts'
import type { NeuronRunSpec } from '../../domain/neurons/run-spec.ts'
import { StepError } from '../step-error.ts'

/** What runs go by. It never changes, so it is kept while a run is busy. */
export interface RunSpecs {
  /** Throws StepError RUN_UNKNOWN, Unavailable. */
  of(job: JobRef): Promise<NeuronRunSpec>
}

const KEPT = 200

export function createRunSpecs(db: Database): RunSpecs {
  const known = new LRUCache<string, NeuronRunSpec>({ max: KEPT })
  return {
    async of({ job_id, workspace_id }) {
      const kept = known.get(job_id)
      if (kept) return kept
      const found = await db.inWorkspace(workspace_id, tx => findRunSpec(tx, job_id))
      if (!found) throw new StepError('RUN_UNKNOWN', 'The settings of this run do not exist')
      const spec = found as unknown as NeuronRunSpec
      known.set(job_id, spec)
      return spec
    },
  }
}
