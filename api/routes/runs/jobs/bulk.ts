import type { BulkJobs, BulkRequest } from '../../../../services/runs/bulk/bulk-jobs.ts'
import { allowWriters } from '../../../routing/access.ts'
import { accepted, ok } from '../../../routing/reply.ts'
import { defineRoute, type Route } from '../../../routing/route.ts'
import { jobAccepted } from '../../../../contract/runs/control.ts'
import { type BulkBody, bulkBody, bulkPreview } from '../../../../contract/runs/bulk.ts'

/** Converts the body to the service's request. */
export const toBulkRequest = ({
  filter: { status: statuses, outcome: outcomes, ...rest },
  ...request
}: Omit<BulkBody, 'dry_run'>): BulkRequest => ({ ...request, filter: { ...rest, statuses, outcomes } })

/** The route for an operation on all runs that match a filter. */
export const bulkRoute = (bulkJobs: BulkJobs): Route =>
  defineRoute({
    name: 'jobs.bulk',
    method: 'post',
    effect: 'stop',
    path: '/v1/jobs/bulk',
    summary: 'Run a bulk operation',
    description:
      'Cancels, pauses, resumes, retries or migrates all runs that match a filter. A job of the kind ' +
      '`bulk` processes one run after the other, oldest first, at most `per_second`. A run is included if ' +
      'it matches the filter both when the job is accepted and when the job reaches the run. `bulk` in the ' +
      'job record shows the progress. `POST /v1/jobs/:jobId/cancel` stops the job between two runs. A dry ' +
      "run doesn't start a job. A retry also needs the permission `jobs:start`. `migrate` requires the option " +
      '`to_version`: each run moves to that version of its pathway.',
    tag: 'Jobs',
    access: allowWriters('jobs:control'),
    body: bulkBody,
    idempotent: true,
    responses: {
      200: { description: 'Preview of the job, for a dry run', schema: bulkPreview },
      202: { description: 'The job was accepted', schema: jobAccepted },
    },
    async handler({ caller, principal, body: { dry_run, ...request }, idempotency }) {
      const bulk = toBulkRequest(request)
      const requester = { ...caller, principal }
      return dry_run
        ? ok(await bulkJobs.preview(requester, bulk, idempotency))
        : accepted(await bulkJobs.start(requester, bulk, idempotency))
    },
  })
