import { type BulkOperation, firstOf, NOT_PERMITTED } from '../operation.ts'

/** Starts a new run for each failed run. The new run continues with the steps that were not completed. */
export const retry: BulkOperation = {
  permission: 'jobs:start',
  effect: 'write',
  statuses: ['failed'],
  findObstacle: ({ status, kind, is_child, is_purged, is_retried, is_cancelled, may_write }, { names_cancelled }) =>
    firstOf(
      [!may_write, NOT_PERMITTED],
      [kind !== 'pathway' && kind !== 'neuron', `A job of kind "${kind}" cannot be retried`],
      [status !== 'failed', `The run is ${status}: only a failed run can be retried`],
      [is_child, 'This is a child run: retry its parent run'],
      [is_purged, 'The content of this run was removed'],
      [is_retried, 'The run has already been retried'],
      [
        is_cancelled && !names_cancelled,
        'The run was cancelled: include the outcome `cancelled` in the filter to retry such runs',
      ],
    ),
  async preview({ jobs }, { principal, row }) {
    const plan = await jobs.retry(principal, row.job_id, { dry_run: true })
    return 'asked_again' in plan ? plan.asked_again : []
  },
  async apply({ jobs }, { principal, row, bulk_job_id, reason }) {
    const key = `bulk retry ${bulk_job_id} ${row.job_id}`
    await jobs.retry(principal, row.job_id, { reason, bulk_job_id }, { key, route: 'bulk', body_hash: key })
  },
}
