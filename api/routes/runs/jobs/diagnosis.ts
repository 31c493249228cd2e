import { z } from 'zod'
import { type Cause, CAUSES } from '../../../../domain/runs/diagnosis/diagnosis.ts'
import type { DiagnosisCounts, DiagnosisView } from '../../../../services/runs/types.ts'
import { timestamp } from '../../../../contract/shared/time.ts'

const evidence = z.custom<DiagnosisView['evidence']>().meta({
  type: 'object',
  description:
    'What shows the cause, such as `node_key`, `attempt`, `last_error` and `next_attempt_at` of a retry, or `intervention_id`, `assignees` and `is_overdue` of a wait for people',
})

export const diagnosis = z
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
  .meta({ id: 'Diagnosis' }) satisfies z.ZodType<DiagnosisView>

const eachCause = Object.fromEntries(CAUSES.map(cause => [cause, z.int()])) as Record<Cause, z.ZodInt>

export const diagnosisCounts = z
  .object({
    total: z.int(),
    by_cause: z.object(eachCause),
    not_examined: z.int().meta({ description: 'Open jobs beyond the 200 oldest, or beyond what was found in time' }),
  })
  .meta({ id: 'DiagnosisCounts' }) satisfies z.ZodType<DiagnosisCounts>
