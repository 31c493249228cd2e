import type { AuditAction } from '../../../data/audit/audit-store.ts'
import type { Tx, Database } from '../../../data/shared/database.ts'
import type { Permission } from '../../../domain/access/permissions.ts'
import type { BulkTerms, RunFacts } from '../../../domain/runs/bulk/bulk.ts'
import type { AppError } from '../../../domain/shared/errors.ts'
import type { JobRecord, JobStatus } from '../../../domain/runs/jobs.ts'
import type { JsonObject, Problem } from '../../../domain/shared/json/json.ts'
import type { AskedAgain } from '../../../domain/pathways/fork/types.ts'
import type { Principal } from '../../../domain/access/principal.ts'
import type { StatusReader } from '../status/status.ts'
import type { Temporal } from '../../shared/temporal.ts'
import type { JobsService } from '../jobs.ts'

/** What operations work with. */
export interface OperationDeps {
  db: Database
  temporal: Temporal
  readStatus: StatusReader
  jobs: Pick<JobsService, 'retry' | 'migrations'>
}

/** One run within a bulk job. */
export interface BulkStep {
  principal: Principal
  row: JobRecord
  bulk_job_id: string
  reason?: string
  options?: JsonObject
}

/** An operation that a bulk job applies to runs. It is a file of `operations/` and a line of its `index.ts`. */
export interface BulkOperation {
  /** That of the route for one run. */
  permission: Permission
  /** `write`: refused after the end of a trial, and when the included spend is used. */
  effect: 'write' | 'stop'
  /** The statuses of the runs to which it may apply. */
  statuses: readonly JobStatus[]
  /** Lists what is wrong with the options of a request, by pointer into its body. By default it takes none. */
  findOptionProblems?: (options: JsonObject) => Problem[]
  /** Says why the operation does not apply to a run, as a sentence. Undefined where it applies. Pure. */
  findObstacle(facts: RunFacts, terms: BulkTerms): string | undefined
  /**
   * Returns the nodes of a run of the preview in which people would decide again. Throws AppError where the operation would be
   * refused. Reads only.
   */
  preview?: (deps: OperationDeps, step: BulkStep) => Promise<AskedAgain[]>
  /**
   * Whether a run shows the effect of an operation that began before an interruption. By default it is applied again, since
   * that has no further effect.
   */
  hasTakenEffect?: (facts: RunFacts) => boolean
  /** The entry of the audit log, where `apply` writes none itself. */
  audit?: AuditAction
  /** The entry of what takes the effect back. After one the operation is not applied again. */
  contrary?: AuditAction
  /** Writes what belongs to the audit entry, in its transaction. */
  begin?: (tx: Tx, step: BulkStep) => Promise<void>
  /** Applies the operation. A repetition must have no further effect. Throws AppError where it is refused. */
  apply(deps: OperationDeps, step: BulkStep): Promise<void>
}

/** Checks in their order; the first sentence counts. */
export const firstOf = (...checks: [isSo: boolean, why: string][]): string | undefined =>
  checks.find(([isSo]) => isSo)?.[1]

/** What a bulk job says of a run that refused the operation. */
export const describeRefusal = ({ message, details }: AppError): string =>
  details === undefined ? message : `${message}: ${details.map(describeProblem).join('; ')}`

const describeProblem = ({ pointer, message }: Problem): string => (pointer === '' ? message : `${pointer} ${message}`)

export const NOT_PERMITTED = 'You may not write to its brain'
export const ENDED = 'It has ended'
export const TAKEN_BACK = 'It was paused or resumed by another person meanwhile'
