import type { JobRecord } from '../../../data/runs/jobs-store.ts'
import type { JobEnding } from '../../../data/runs/job-endings-store.ts'

export type Failure = Required<Pick<JobEnding, 'failed_reason' | 'failed_code'>>

export const NOT_IN_ORDER = 'the run could not stop cleanly, and nothing was compensated'

/** Termination reasons that the service passes to Temporal. */
export const NO_RESPONSE = 'it did not respond to a cancel'
export const RESTORED = 'its job is missing, has ended or is outdated after a restore'
export const TASK_TOO_LONG = 'its workflow task exceeded the time limit repeatedly'

/** States who cancelled a job. */
export const describeCancel = ({ cancelled_by }: Pick<JobRecord, 'cancelled_by'>): string =>
  `cancelled by ${cancelled_by ?? 'an operator'}`

/** Describes the failure of a job that the service terminated. Returns undefined for other reasons. */
export function describeTermination(reason: string, row: Pick<JobRecord, 'cancelled_by'>): Failure | undefined {
  switch (reason) {
    case NO_RESPONSE:
      return {
        failed_reason: `${describeCancel(row)}: ${NOT_IN_ORDER}`,
        failed_code: 'CANCELLED',
      }
    case TASK_TOO_LONG:
      return { failed_reason: `${TASK_TOO_LONG}: ${NOT_IN_ORDER}`, failed_code: 'WORKFLOW_TASK_TIMEOUT' }
    default:
      return undefined
  }
}
