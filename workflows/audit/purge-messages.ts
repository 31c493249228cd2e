import type { JobRef } from '../../domain/runs/jobs.ts'
import type { PurgeTarget } from '../../domain/audit/purge.ts'

export const PURGE_WORKFLOW = 'purge'

export interface PurgeRunInput {
  job: JobRef
  target: PurgeTarget
  requester: string
}
