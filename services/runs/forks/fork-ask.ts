import type { ForkKind } from '../../../data/runs/job-forks-store.ts'
import { ValidationError } from '../../../domain/shared/errors.ts'
import type { Problem } from '../../../domain/shared/json/json.ts'
import type { ForkBody } from '../../../contract/runs/fork.ts'
import type { Idempotency } from '../../shared/idempotency.ts'

/** How a run is forked. */
export interface ForkRequest extends Partial<ForkBody> {
  /** The bulk job that retries the run. It is refused where the run has been retried before. */
  bulk_job_id?: string
}

/** What is asked of a fork, however it is called. */
export interface ForkAsk extends ForkRequest {
  kind: ForkKind
  /** The node that is named as the point of the fork, also where it goes on with all that was not completed. */
  named?: string
  idempotency?: Idempotency
}

/** The error of a fork that does not fit the run. */
export const forkError = (problems: Problem[]): ValidationError =>
  new ValidationError('The run cannot be forked like this', problems)
