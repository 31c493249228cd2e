import { WorkflowNotFoundError } from '@temporalio/client'
import { setCancelledBy } from '../../../../data/jobs-store.ts'
import { Unavailable } from '../../../../domain/errors.ts'
import { canCancel, isTerminal, OPEN_STATUSES } from '../../../../domain/jobs.ts'
import { sendCancel, waitForStop } from '../../cancel-run.ts'
import type { Temporal } from '../../../temporal.ts'
import { type BulkOperation, ENDED, firstOf, NOT_PERMITTED } from '../operation.ts'

/** Cancels open jobs of all kinds. */
export const cancel: BulkOperation = {
  permission: 'jobs:control',
  effect: 'stop',
  statuses: OPEN_STATUSES,
  findObstacle: ({ status, kind, may_write }) =>
    firstOf(
      [!may_write, NOT_PERMITTED],
      [isTerminal(status), ENDED],
      [!canCancel(kind), `A ${kind} cannot be cancelled`],
    ),
  audit: 'job.cancel',
  begin: (tx, { row, principal }) => setCancelledBy(tx, row.job_id, principal.actor),
  async apply({ temporal, readStatus }, { row, principal }) {
    if (row.status === 'pending') return cancelPending(temporal, row.job_id)
    await sendCancel(temporal, row.job_id)
    // A run whose workflow task fails again and again does not respond.
    if ((await readStatus(row)).problem)
      await waitForStop({ temporal, readStatus }, { ...row, cancelled_by: row.cancelled_by ?? principal.actor })
  },
}

/** The row of a run is there before the run. Throws Unavailable while Temporal does not know it. */
const cancelPending = async (temporal: Temporal, jobId: string): Promise<void> => {
  await temporal
    .call(() => temporal.handle(jobId).cancel())
    .catch((error: unknown) => {
      throw error instanceof WorkflowNotFoundError
        ? new Unavailable('The run has not begun yet', { cause: error })
        : error
    })
}
