import type { JobKind, JobStatus, OutcomeFilter } from '../jobs.ts'
import type { JsonObject } from '../../shared/json/json.ts'

/** What a bulk job does to each run. */
export const BULK_OPERATIONS = ['cancel', 'pause', 'resume', 'retry', 'migrate'] as const
export type BulkOperationName = (typeof BULK_OPERATIONS)[number]

/** What became of a run in a bulk job. `skipped`: the operation does not apply to it. `failed`: it was tried and refused. */
export const BULK_OUTCOMES = ['done', 'skipped', 'failed'] as const
export type BulkOutcome = (typeof BULK_OUTCOMES)[number]

/** The numbers of runs that a bulk job is about, and of those that it has treated. */
export type BulkCounts = { matched: number } & Record<BulkOutcome, number>

export interface BulkResult extends BulkCounts {
  operation: string
}

/** What decides whether an operation applies to a run, beside what the operation itself finds out. */
export interface RunFacts {
  kind: JobKind
  status: JobStatus
  is_child: boolean
  /** Whether the definition of a run came with its request, so that it is no version of a pathway. */
  is_inline: boolean
  /** The version of the pathway that it follows. Null for other jobs. */
  pathway_version: number | null
  /** Whether a person has cancelled it. */
  is_cancelled: boolean
  is_purged: boolean
  /** Whether another run was started as its retry. */
  is_retried: boolean
  /** Whether the caller may write to its brain. */
  may_write: boolean
}

/** How a bulk job treats a run, beside its operation. */
export interface BulkTerms {
  /** The filter asks for cancelled runs. */
  names_cancelled?: boolean
  /** What the operation takes. */
  options?: JsonObject
}

/** Whether a filter asks for cancelled runs, by their outcome or by the code of their error. */
export const namesCancelled = ({
  outcomes,
  error_code,
}: {
  outcomes?: OutcomeFilter[]
  error_code?: string
}): boolean => outcomes?.includes('cancelled') === true || error_code === 'CANCELLED'

/** Limits of `per_second`, and its default. */
export const MIN_PER_SECOND = 0.1
export const MAX_PER_SECOND = 50
export const DEFAULT_PER_SECOND = 10

/** Returns how many runs of a bulk job were treated. */
export const countTreated = ({ done, skipped, failed }: BulkCounts): number => done + skipped + failed

/** The reason of a run that the job no longer means. */
export const NO_MATCH = 'It no longer matches the filter'

/** What the audit entries of the runs of a bulk job say: the job, and why a person asked for it. */
export const buildBulkDetails = (bulkJobId: string | undefined, reason: string | undefined): JsonObject =>
  bulkJobId === undefined ? {} : { bulk_job_id: bulkJobId, ...(reason !== undefined && { reason }) }
