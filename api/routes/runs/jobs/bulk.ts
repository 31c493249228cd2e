import { z } from 'zod'
import { DEFAULT_PER_SECOND, MAX_PER_SECOND, MIN_PER_SECOND } from '../../../../domain/runs/bulk/bulk.ts'
import { JOB_KINDS, JOB_STATUSES, OUTCOME_FILTERS } from '../../../../domain/runs/jobs.ts'
import { BULK_OPERATIONS } from '../../../../services/runs/bulk/operations/index.ts'
import type { BulkJobs, BulkPreview, BulkRequest } from '../../../../services/runs/bulk/types.ts'
import { allowWriters } from '../../../routing/access.ts'
import { accepted, ok } from '../../../routing/reply.ts'
import { defineRoute } from '../../../routing/route.ts'
import type { Route } from '../../../routing/route.ts'
import { jsonValue } from '../../../../contract/shared/json.ts'
import { timestamp } from '../../../../contract/shared/time.ts'
import { askedAgain } from './job-view.ts'
import { countQuery, jobAccepted, OUTCOME_NOTE } from './schemas.ts'

const filter = countQuery
  .extend({
    status: z.array(z.enum(JOB_STATUSES)).min(1).max(JOB_STATUSES.length).optional(),
    outcome: z
      .array(z.enum(OUTCOME_FILTERS))
      .min(1)
      .max(OUTCOME_FILTERS.length)
      .optional()
      .meta({ description: OUTCOME_NOTE }),
    child_runs: z.boolean().optional().meta({ description: 'false: without the runs that other runs have started' }),
  })
  .strict()
  .meta({ description: 'The filters of `GET /v1/jobs`. Bulk jobs are meant only with the kind `bulk`' })

export const bulkBody = z.strictObject({
  operation: z.enum(BULK_OPERATIONS),
  filter,
  options: z
    .record(z.string(), jsonValue)
    .optional()
    .meta({ description: 'What the operation takes beside the runs: `migrate` takes `to_version`' }),
  dry_run: z.boolean().optional().meta({ description: 'true: says what the job would do, and starts nothing' }),
  per_second: z
    .number()
    .min(MIN_PER_SECOND)
    .max(MAX_PER_SECOND)
    .optional()
    .meta({ description: `Runs a second, at most. By default ${DEFAULT_PER_SECOND}` }),
  confirm: z
    .boolean()
    .optional()
    .meta({ description: 'true: needed for a filter that leaves out no run to which the operation applies' }),
  reason: z
    .string()
    .max(2_000)
    .optional()
    .meta({ description: 'Shown with the job, and in the audit log with each run' }),
})

const run = z.object({
  job_id: z.string(),
  title: z.string(),
  kind: z.enum(JOB_KINDS),
  status: z.enum(JOB_STATUSES),
  applies: z.boolean(),
  message: z.string().optional().meta({ description: 'Why the operation does not apply' }),
  asked_again: z.array(askedAgain).optional().meta({
    description: 'Present where decisions of the run do not hold after a retry or a migration: people decide again',
  }),
})

export const bulkPreview = z
  .object({
    operation: z.enum(BULK_OPERATIONS),
    dry_run: z.literal(true),
    matched: z.int(),
    applies: z.int().meta({ description: 'Runs to which the operation applies' }),
    reasons: z
      .array(z.object({ message: z.string(), count: z.int() }))
      .meta({ description: 'Why it does not apply to the others, the most frequent reason first' }),
    created_before: timestamp.meta({
      description:
        'Runs that began from this time on are not meant. As a field of the filter it means the same runs again',
    }),
    needs_confirm: z.boolean(),
    sample: z.array(run).meta({ description: 'The first runs in the order of the job, the oldest first, at most 20' }),
  })
  .meta({ id: 'BulkPreview' }) satisfies z.ZodType<BulkPreview>

/** The request as the service takes it. */
export const toBulkRequest = ({
  filter: { status: statuses, outcome: outcomes, ...rest },
  ...request
}: Omit<z.output<typeof bulkBody>, 'dry_run'>): BulkRequest => ({ ...request, filter: { ...rest, statuses, outcomes } })

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
