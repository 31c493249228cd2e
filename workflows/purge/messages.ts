import type { JobRef } from '../../domain/jobs.ts'
import type { PurgeTarget } from '../../domain/purge.ts'

export const PURGE_WORKFLOW = 'purge'

export interface PurgeRunInput {
  job: JobRef
  target: PurgeTarget
  requester: string
}
