import type { JobKind, JobStatus, OutcomeFilter } from '../jobs.ts'
import type { JsonObject } from '../../shared/json/json.ts'

/** Operations that a bulk job can apply to each run. */
export const BULK_OPERATIONS = ['cancel', 'pause', 'resume', 'retry', 'migrate'] as const
export type BulkOperationName = (typeof BULK_OPERATIONS)[number]

/**
 * Outcome of a run in a bulk job. `skipped`: the operation doesn't apply to the run. `failed`: the attempt was
 * rejected.
 */
export const BULK_OUTCOMES = ['done', 'skipped', 'failed'] as const
export type BulkOutcome = (typeof BULK_OUTCOMES)[number]

/** Number of runs that a bulk job matches, and number of processed runs by outcome. */
export type BulkCounts = { matched: number } & Record<BulkOutcome, number>

export interface BulkResult extends BulkCounts {
  operation: string
}

/** Facts that determine whether an operation applies to a run, in addition to the checks of the operation itself. */
export interface RunFacts {
  kind: JobKind
  status: JobStatus
  is_child: boolean
  /** Whether the run's definition was part of the request. Such a run has no pathway version. */
  is_inline: boolean
  /** Pathway version of the run. Null for other jobs. */
  pathway_version: number | null
  /** Whether a person cancelled the run. */
  is_cancelled: boolean
  is_purged: boolean
  /** Whether the run has already been retried by another run. */
  is_retried: boolean
  /** Whether the caller may write to the run's brain. */
  may_write: boolean
}

/** How a bulk job treats a run, in addition to its operation. */
export interface BulkTerms {
  /** Whether the filter explicitly selects cancelled runs. */
  names_cancelled?: boolean
  /** Parameters of the operation. */
  options?: JsonObject
}

/** Returns whether a filter selects cancelled runs, by their outcome or error code. */
export const namesCancelled = ({
  outcomes,
  error_code,
}: {
  outcomes?: OutcomeFilter[]
  error_code?: string
}): boolean => outcomes?.includes('cancelled') === true || error_code === 'CANCELLED'

/** Limits and default of `per_second`. */
export const MIN_PER_SECOND = 0.1
export const MAX_PER_SECOND = 50
export const DEFAULT_PER_SECOND = 10

/** Returns the number of processed runs of a bulk job. */
export const countTreated = ({ done, skipped, failed }: BulkCounts): number => done + skipped + failed

/** Reason for skipping a run that no longer matches. */
export const NO_MATCH = 'The run no longer matches the filter'

/** Returns the bulk job fields of a run's audit entries: the job and the person's reason. */
export const buildBulkDetails = (bulkJobId: string | undefined, reason: string | undefined): JsonObject =>
  bulkJobId === undefined ? {} : { bulk_job_id: bulkJobId, ...(reason !== undefined && { reason }) }
