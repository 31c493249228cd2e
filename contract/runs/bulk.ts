import { z } from 'zod'
import { BULK_OPERATIONS, MIN_PER_SECOND, MAX_PER_SECOND, DEFAULT_PER_SECOND } from '../../domain/runs/bulk/bulk.ts'
import { JOB_STATUSES, OUTCOME_FILTERS, JOB_KINDS } from '../../domain/runs/jobs.ts'
import { jobCountsQuery, OUTCOME_NOTE } from './filter.ts'
import { askedAgain } from './fork.ts'
import { jsonValue } from '../shared/json.ts'
import { timestamp } from '../shared/time.ts'

/** The progress of a bulk job. */
export const bulkReport = z
  .object({
    matched: z.int(),
    done: z.int(),
    skipped: z.int().meta({ description: "Number of runs that the operation doesn't apply to" }),
    failed: z.int().meta({ description: 'Number of runs for which the operation failed' }),
    problems: z
      .array(
        z.object({
          job_id: z.string(),
          outcome: z.enum(['skipped', 'failed']),
          code: z.string().optional(),
          message: z.string(),
          at: timestamp,
        }),
      )
      .meta({ description: 'Runs that were not changed, at most 100, with failed runs first' }),
  })
  .meta({
    id: 'BulkReport',
    description: 'Progress of a `bulk` job',
  })

/** A bulk job's progress, as part of its job record. */
export type BulkReport = z.output<typeof bulkReport>

const filter = jobCountsQuery
  .extend({
    status: z.array(z.enum(JOB_STATUSES)).min(1).max(JOB_STATUSES.length).optional(),
    outcome: z
      .array(z.enum(OUTCOME_FILTERS))
      .min(1)
      .max(OUTCOME_FILTERS.length)
      .optional()
      .meta({ description: OUTCOME_NOTE }),
    child_runs: z.boolean().optional().meta({ description: 'false: excludes child runs' }),
  })
  .strict()
  .meta({ description: 'The filters of `GET /v1/jobs`. Bulk jobs match only if you filter by the kind `bulk`.' })

export const bulkBody = z.strictObject({
  operation: z.enum(BULK_OPERATIONS),
  filter,
  options: z
    .record(z.string(), jsonValue)
    .optional()
    .meta({ description: 'Options of the operation. `migrate` requires `to_version`.' }),
  dry_run: z.boolean().optional().meta({ description: 'true: previews the job without starting it' }),
  per_second: z
    .number()
    .min(MIN_PER_SECOND)
    .max(MAX_PER_SECOND)
    .optional()
    .meta({ description: `Maximum number of runs per second. Default: ${DEFAULT_PER_SECOND}` }),
  confirm: z
    .boolean()
    .optional()
    .meta({ description: 'true: confirms a filter that matches every run the operation applies to' }),
  reason: z
    .string()
    .max(2_000)
    .optional()
    .meta({ description: 'Reason, shown with the job and in the audit log entry of each run' }),
})

export type BulkBody = z.output<typeof bulkBody>

const run = z.object({
  job_id: z.string(),
  title: z.string(),
  kind: z.enum(JOB_KINDS),
  status: z.enum(JOB_STATUSES),
  applies: z.boolean(),
  message: z.string().optional().meta({ description: "Why the operation doesn't apply" }),
  asked_again: z.array(askedAgain).optional().meta({
    description: 'Decisions that people must make again after a retry or migration. Absent if there are none.',
  }),
})

export const bulkPreview = z
  .object({
    operation: z.enum(BULK_OPERATIONS),
    dry_run: z.literal(true),
    matched: z.int(),
    applies: z.int().meta({ description: 'Number of runs that the operation applies to' }),
    reasons: z
      .array(z.object({ message: z.string(), count: z.int() }))
      .meta({ description: "Why the operation doesn't apply to the other runs, most frequent reason first" }),
    created_before: timestamp.meta({
      description:
        'Only runs created before this time match. Pass this time as a filter field to select the same runs again.',
    }),
    /** The filter matches every run that the operation applies to. */
    needs_confirm: z.boolean(),
    sample: z.array(run).meta({ description: 'The first runs that the job would process, oldest first, at most 20' }),
  })
  .meta({ id: 'BulkPreview' })

/** A preview of a bulk job. */
export type BulkPreview = z.output<typeof bulkPreview>
