import { z } from 'zod'
import { BULK_OPERATIONS, MIN_PER_SECOND, MAX_PER_SECOND, DEFAULT_PER_SECOND } from '../../domain/runs/bulk/bulk.ts'
import { JOB_STATUSES, OUTCOME_FILTERS, JOB_KINDS } from '../../domain/runs/jobs.ts'
import { jobCountsQuery, OUTCOME_NOTE } from './filter.ts'
import { askedAgain } from './fork.ts'
import { jsonValue } from '../shared/json.ts'
import { timestamp } from '../shared/time.ts'

/** What a bulk job has done so far. */
export const bulkReport = z
  .object({
    matched: z.int(),
    done: z.int(),
    skipped: z.int().meta({ description: 'Runs to which the operation does not apply' }),
    failed: z.int().meta({ description: 'Runs for which it was tried and refused' }),
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
      .meta({ description: 'Runs to which the operation was not applied, at most 100: first those that refused it' }),
  })
  .meta({
    id: 'BulkReport',
    description: 'What a job of the kind `bulk` has done so far',
  })

/** A bulk job within the record of its job. */
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

export type BulkBody = z.output<typeof bulkBody>

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
    /** The filter leaves out no run to which the operation applies. */
    needs_confirm: z.boolean(),
    sample: z.array(run).meta({ description: 'The first runs in the order of the job, the oldest first, at most 20' }),
  })
  .meta({ id: 'BulkPreview' })

/** What a bulk job would do. */
export type BulkPreview = z.output<typeof bulkPreview>
