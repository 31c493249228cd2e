import type { AuditAction } from '../../../data/audit/audit-store.ts'
import type { Tx, Database } from '../../../data/shared/database.ts'
import type { Permission } from '../../../domain/access/permissions.ts'
import type { BulkTerms, RunFacts } from '../../../domain/runs/bulk/bulk.ts'
import type { AppError } from '../../../domain/shared/errors.ts'
import type { JobStatus } from '../../../domain/runs/jobs.ts'
import type { JobRecord } from '../../../data/runs/jobs-store.ts'
import type { JsonObject, Problem } from '../../../domain/shared/json/json.ts'
import type { AskedAgain } from '../../../domain/pathways/fork/types.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import type { StatusReader } from '../status/status.ts'
import type { Temporal } from '../../shared/temporal.ts'
import type { JobsService } from '../jobs.ts'

/** Dependencies of operations. */
export interface OperationDeps {
  db: Database
  temporal: Temporal
  readStatus: StatusReader
  jobs: Pick<JobsService, 'retry' | 'migrations'>
}

/** A bulk job's step for one run. */
export interface BulkStep {
  principal: Principal
  row: JobRecord
  bulk_job_id: string
  reason?: string
  options?: JsonObject
}

/**
 * An operation that a bulk job applies to runs. To add an operation, add a file to `operations/` and a line to its
 * `index.ts`.
 */
export interface BulkOperation {
  /** The permission that the route for a single run requires. */
  permission: Permission
  /** `write` operations are rejected after a trial ends or when the included spend is used up. */
  effect: 'write' | 'stop'
  /** The run statuses to which the operation may apply. */
  statuses: readonly JobStatus[]
  /**
   * Lists problems with a request's options, with pointers into the request body. By default, options are not
   * allowed.
   */
  findOptionProblems?: (options: JsonObject) => Problem[]
  /**
   * Returns a sentence that states why the operation does not apply to a run, or undefined if it applies. Pure
   * function.
   */
  findObstacle(facts: RunFacts, terms: BulkTerms): string | undefined
  /**
   * Returns the nodes at which people would have to decide again in a sampled run. Throws AppError if the operation
   * would be rejected. Read-only.
   */
  preview?: (deps: OperationDeps, step: BulkStep) => Promise<AskedAgain[]>
  /**
   * Returns whether an operation that started before an interruption has taken effect on a run. By default, the
   * operation is applied again, because repeating it has no further effect.
   */
  hasTakenEffect?: (facts: RunFacts) => boolean
  /** The audit entry to write if `apply` does not write one. */
  audit?: AuditAction
  /** The audit action that reverts the operation's effect. The operation is not applied again after this action. */
  contrary?: AuditAction
  /** Writes additional rows in the same transaction as the audit entry. */
  begin?: (tx: Tx, step: BulkStep) => Promise<void>
  /**
   * Applies the operation. Repeating the call must have no further effect. Throws AppError if the operation is
   * rejected.
   */
  apply(deps: OperationDeps, step: BulkStep): Promise<void>
}

/** Returns the message for the first condition that is true. */
export const firstOf = (...checks: [isSo: boolean, why: string][]): string | undefined =>
  checks.find(([isSo]) => isSo)?.[1]

/** Describes why an operation was rejected, for the bulk report. */
export const describeRefusal = ({ message, details }: AppError): string =>
  details === undefined ? message : `${message}: ${details.map(describeProblem).join('; ')}`

const describeProblem = ({ pointer, message }: Problem): string => (pointer === '' ? message : `${pointer} ${message}`)

export const NOT_PERMITTED = 'You may not write to the brain of this run'
export const ENDED = 'The run has ended'
export const TAKEN_BACK = 'Someone else paused or resumed the run in the meantime'
