import { type BulkOperation, firstOf, NOT_PERMITTED } from '../operation.ts'

/** Starts a run for each failed one that goes on with what it did not complete. */
export const retry: BulkOperation = {
  permission: 'jobs:start',
  effect: 'write',
  statuses: ['failed'],
  findObstacle: ({ status, kind, is_child, is_purged, is_retried, is_cancelled, may_write }, { names_cancelled }) =>
    firstOf(
      [!may_write, NOT_PERMITTED],
      [kind !== 'pathway' && kind !== 'neuron', `A job of the kind "${kind}" cannot be retried`],
      [status !== 'failed', `It is ${status}: only a failed run can be retried`],
      [is_child, 'It is a child run: retry the run that started it'],
      [is_purged, 'Its content was removed'],
      [is_retried, 'It has been retried already'],
      [is_cancelled && !names_cancelled, 'It was cancelled: name the outcome `cancelled` to retry such runs'],
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
