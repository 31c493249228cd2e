import { z } from 'zod'
import { CAUSES, type Cause } from '../../domain/runs/diagnosis/diagnosis.ts'
import type { JsonObject } from '../../domain/shared/json/json.ts'
import { timestamp } from '../shared/time.ts'

const evidence = z.custom<JsonObject>().meta({
  type: 'object',
  description:
    'Evidence for the cause. A retry has `node_key`, `attempt`, `last_error` and `next_attempt_at`, for example. An open task has `intervention_id`, `assignees` and `is_overdue`.',
})

export const diagnosisView = z
  .object({
    job_id: z.string(),
    cause: z.enum(CAUSES),
    since: timestamp.optional().meta({ description: 'Time when this state began. Absent if no record contains it.' }),
    message: z.string().meta({ description: 'The cause, described in one sentence' }),
    action: z.string().meta({ description: 'Recommended action' }),
    evidence,
    link: z.string().meta({ description: 'Link to the run in the Temporal UI' }),
    missing: z
      .array(z.enum(['history', 'workers', 'children']))
      .meta({ description: 'Evidence that could not be read in time. The cause is correct without it.' }),
  })
  .meta({ id: 'Diagnosis' })

/** The cause of a job's current state. */
export type DiagnosisView = z.output<typeof diagnosisView>

const eachCause = Object.fromEntries(CAUSES.map(cause => [cause, z.int()])) as Record<Cause, z.ZodInt>

export const diagnosisCounts = z
  .object({
    total: z.int(),
    by_cause: z.object(eachCause),
    not_examined: z.int().meta({
      description:
        'Open jobs that were not diagnosed: those beyond the 200 oldest, and those that could not be read in time',
    }),
  })
  .meta({ id: 'DiagnosisCounts' })

/** Job counts by the cause of the current state. */
export type DiagnosisCounts = z.output<typeof diagnosisCounts>
