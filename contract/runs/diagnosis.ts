import { z } from 'zod'
import { CAUSES, type Cause } from '../../domain/runs/diagnosis/diagnosis.ts'
import type { JsonObject } from '../../domain/shared/json/json.ts'
import { timestamp } from '../shared/time.ts'

const evidence = z.custom<JsonObject>().meta({
  type: 'object',
  description:
    'What shows the cause, such as `node_key`, `attempt`, `last_error` and `next_attempt_at` of a retry, or `intervention_id`, `assignees` and `is_overdue` of a wait for people',
})

export const diagnosisView = z
  .object({
    job_id: z.string(),
    cause: z.enum(CAUSES),
    since: timestamp.optional().meta({ description: 'Absent where no record says it' }),
    message: z.string().meta({ description: 'The cause as a sentence' }),
    action: z.string().meta({ description: 'What a person can do' }),
    evidence,
    link: z.string().meta({ description: 'The run in the Temporal UI' }),
    missing: z
      .array(z.enum(['history', 'workers', 'children']))
      .meta({ description: 'What could not be found in time. The cause does not rest on it' }),
  })
  .meta({ id: 'Diagnosis' })

/** Why a job is where it is. */
export type DiagnosisView = z.output<typeof diagnosisView>

const eachCause = Object.fromEntries(CAUSES.map(cause => [cause, z.int()])) as Record<Cause, z.ZodInt>

export const diagnosisCounts = z
  .object({
    total: z.int(),
    by_cause: z.object(eachCause),
    not_examined: z.int().meta({ description: 'Open jobs beyond the 200 oldest, or beyond what was found in time' }),
  })
  .meta({ id: 'DiagnosisCounts' })

/** Numbers of jobs by the cause of where they are. */
export type DiagnosisCounts = z.output<typeof diagnosisCounts>
