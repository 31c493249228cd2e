import type { JobRef, JobStatus, OutcomeFilter } from '../../domain/runs/jobs.ts'
import type { JsonObject } from '../../domain/shared/json/json.ts'

export const BULK_WORKFLOW = 'bulk'

/** The filter of a bulk job: that of a list of jobs, until the time when the bulk job was accepted. */
export interface BulkFilter {
  statuses?: JobStatus[]
  outcomes?: OutcomeFilter[]
  error_code?: string
  created_before: string
  /** The brains whose runs the requester saw. Null means all. */
  brain_ids: string[] | null
  [field: string]: unknown
}

export interface BulkRunInput {
  job: JobRef
  requester: string
  /** The credential of the request, which its runs count for. Absent in bulk jobs of former versions. */
  credential?: { key_id: string; is_user?: boolean }
  operation: string
  filter: BulkFilter
  options?: JsonObject
  per_second: number
  reason?: string
  /** True once all runs of the filter are listed: the run has continued as new. */
  is_pinned?: boolean
}
