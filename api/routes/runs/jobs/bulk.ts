import type { BulkJobs, BulkRequest } from '../../../../services/runs/bulk/bulk-jobs.ts'
import { allowWriters } from '../../../routing/access.ts'
import { accepted, ok } from '../../../routing/reply.ts'
import { defineRoute, type Route } from '../../../routing/route.ts'
import { jobAccepted } from '../../../../contract/runs/control.ts'
import { type BulkBody, bulkBody, bulkPreview } from '../../../../contract/runs/bulk.ts'

/** The request as the service takes it. */
export const toBulkRequest = ({
  filter: { status: statuses, outcome: outcomes, ...rest },
  ...request
}: Omit<BulkBody, 'dry_run'>): BulkRequest => ({ ...request, filter: { ...rest, statuses, outcomes } })

/** One operation on all runs of a filter. */
export const bulkRoute = (bulkJobs: BulkJobs): Route =>
  defineRoute({
    name: 'jobs.bulk',
    method: 'post',
    effect: 'stop',
    path: '/v1/jobs/bulk',
    summary: 'Cancel, pause, resume, retry or migrate all runs of a filter',
    description:
      'A job of the kind `bulk` applies the operation to one run after the other, the oldest first, at most `per_second`. ' +
      'Its runs are those that match the filter when it is accepted, and still match it when their turn comes. ' +
      '`bulk` in its record counts them; `POST /v1/jobs/:jobId/cancel` stops it between two runs. A dry run starts nothing. ' +
      'A retry also needs the permission `jobs:start`. `migrate` takes the option `to_version`: each run moves to that version of its pathway.',
    tag: 'Jobs',
    access: allowWriters('jobs:control'),
    body: bulkBody,
    idempotent: true,
    responses: {
      200: { description: 'What the job would do, for a dry run', schema: bulkPreview },
      202: { description: 'The job is accepted', schema: jobAccepted },
    },
    async handler({ caller, principal, body: { dry_run, ...request }, idempotency }) {
      const bulk = toBulkRequest(request)
      const requester = { ...caller, principal }
      return dry_run
        ? ok(await bulkJobs.preview(requester, bulk, idempotency))
        : accepted(await bulkJobs.start(requester, bulk, idempotency))
    },
  })
