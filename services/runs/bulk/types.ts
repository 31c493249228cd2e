import type { BulkCounts } from '../../../domain/runs/bulk/bulk.ts'
import type { JobKind, JobStatus } from '../../../domain/runs/jobs.ts'
import type { JsonObject } from '../../../domain/shared/json/json.ts'
import type { AskedAgain } from '../../../domain/pathways/fork/types.ts'
import type { AcceptedJob } from '../start/job-starter.ts'
import type { Idempotency, JobFilter } from '../types.ts'
import type { BulkOperationName } from './operations/index.ts'
import type { Caller } from '../../access/callers.ts'

/** The filter of a list of jobs. */
export type BulkRequestFilter = Omit<JobFilter, 'sort' | 'limit' | 'offset'>

export interface BulkRequest {
  operation: BulkOperationName
  filter: BulkRequestFilter
  /** What the operation takes beside the runs. */
  options?: JsonObject
  /** Runs a second, at most. */
  per_second?: number
  /** Required for a filter that leaves out no run to which the operation applies. */
  confirm?: boolean
  reason?: string
}

/** What a bulk job would do. */
export interface BulkPreview {
  operation: BulkOperationName
  dry_run: true
  matched: number
  /** How many of them the operation applies to. */
  applies: number
  /** Why it does not apply to the others, the most frequent reason first. */
  reasons: { message: string; count: number }[]
  /** Runs that began from this time on are not meant. */
  created_before: string
  /** The filter leaves out no run to which the operation applies. */
  needs_confirm: boolean
  /** The first runs in the order of the bulk job, at most 20. */
  sample: {
    job_id: string
    title: string
    kind: JobKind
    status: JobStatus
    applies: boolean
    message?: string
    /** Present where people would decide again. */
    asked_again?: AskedAgain[]
  }[]
}

/** A bulk job within the record of its job. */
export interface BulkReport extends BulkCounts {
  /** Runs to which the operation was not applied, at most 100: first those that refused it. */
  problems: { job_id: string; outcome: 'skipped' | 'failed'; code?: string; message: string; at: string }[]
}

/**
 * Applies an operation to all runs of a filter. Methods throw Forbidden without the permission of the operation, and
 * ValidationError for options that it does not take.
 */
export interface BulkJobs {
  /** Tells what a bulk job would do, and changes nothing. */
  preview(caller: Pick<Caller, 'principal'>, request: BulkRequest, idempotency?: Idempotency): Promise<BulkPreview>
  /** Starts a job that does it. Throws ValidationError for a filter that means all runs, unless it is confirmed. */
  start(caller: Pick<Caller, 'principal'>, request: BulkRequest, idempotency?: Idempotency): Promise<AcceptedJob>
}
