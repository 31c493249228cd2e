import { setCancelledBy } from '../../../../data/runs/job-endings-store.ts'
import { canCancel, isTerminal, OPEN_STATUSES } from '../../../../domain/runs/jobs.ts'
import { callBegun, waitForStop } from '../../cancel-run.ts'
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
      [!canCancel(kind), `A job of kind "${kind}" cannot be cancelled`],
    ),
  audit: 'job.cancel',
  begin: (tx, { row, principal }) => setCancelledBy(tx, row.job_id, principal.actor),
  async apply({ temporal, readStatus }, { row, principal }) {
    await callBegun(temporal, row, () => temporal.handle(row.job_id).cancel())
    // A run whose workflow task fails repeatedly does not respond.
    if ((await readStatus(row)).problem)
      await waitForStop({ temporal, readStatus }, { ...row, cancelled_by: row.cancelled_by ?? principal.actor })
  },
}
