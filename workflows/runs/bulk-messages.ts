import type { JobRef, JobStatus, OutcomeFilter } from '../../domain/runs/jobs.ts'
import type { JsonObject } from '../../domain/shared/json/json.ts'

export const BULK_WORKFLOW = 'bulk'

/** The filter of a bulk job: a job list filter, limited to runs that started before the bulk job was accepted. */
export interface BulkFilter {
  statuses?: JobStatus[]
  outcomes?: OutcomeFilter[]
  error_code?: string
  created_before: string
  /** Brains that the requester can access. Null for all brains. */
  brain_ids: string[] | null
  [field: string]: unknown
}

export interface BulkRunInput {
  job: JobRef
  requester: string
  /** The credential of the request. The runs count toward its limits. Absent in bulk jobs of earlier versions. */
  credential?: { key_id: string; is_user?: boolean }
  operation: string
  filter: BulkFilter
  options?: JsonObject
  per_second: number
  reason?: string
  /** True once all matching runs are listed and the workflow has continued as new. */
  is_pinned?: boolean
}
