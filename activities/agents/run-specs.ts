import { LRUCache } from 'lru-cache'
import type { Database } from '../../data/shared/database.ts'
import { findRunSpec } from '../../data/agents/traces-store.ts'
import type { JobRef } from '../../domain/runs/jobs.ts'
import type { NeuronRunSpec } from '../../domain/agents/run-spec.ts'
import { StepError } from '../../domain/runs/step-error.ts'

/** The pinned settings of runs. They are cached because they never change. */
export interface RunSpecs {
  /** Throws StepError RUN_UNKNOWN, and Unavailable. */
  get(job: JobRef): Promise<NeuronRunSpec>
}

const MAX_CACHED_SPECS = 200

export function createRunSpecs(db: Database): RunSpecs {
  const cache = new LRUCache<string, NeuronRunSpec>({ max: MAX_CACHED_SPECS })
  return {
    async get({ job_id, workspace_id }) {
      const cached = cache.get(job_id)
      if (cached) return cached
      const storedSpec = await db.inWorkspaceAtOnce(workspace_id, tx => findRunSpec(tx, job_id))
      if (!storedSpec) throw new StepError('RUN_UNKNOWN', 'The settings of this run do not exist')
      const spec = storedSpec as unknown as NeuronRunSpec
      cache.set(job_id, spec)
      return spec
    },
  }
}
