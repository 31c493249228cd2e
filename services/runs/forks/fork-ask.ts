import type { ForkKind } from '../../../data/runs/job-forks-store.ts'
import { ValidationError } from '../../../domain/shared/errors.ts'
import type { Problem } from '../../../domain/shared/json/json.ts'
import type { ForkBody } from '../../../contract/runs/fork.ts'
import type { Idempotency } from '../../shared/idempotency.ts'

/** Options of a fork. */
export interface ForkRequest extends Partial<ForkBody> {
  /** The bulk job that retries the run. The fork is rejected if the run has already been retried. */
  bulk_job_id?: string
}

/** A fork request from any route. */
export interface ForkAsk extends ForkRequest {
  kind: ForkKind
  /** The node named as the fork point, even if the fork continues with all uncompleted nodes. */
  named?: string
  idempotency?: Idempotency
}

/** Creates the error for fork options that do not match the run. */
export const forkError = (problems: Problem[]): ValidationError =>
  new ValidationError('The run cannot be forked with these options', problems)
