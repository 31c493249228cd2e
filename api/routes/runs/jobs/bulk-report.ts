import { z } from 'zod'
import type { BulkReport } from '../../../../services/runs/bulk/types.ts'
import { timestamp } from '../../../../contract/shared/time.ts'

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
  }) satisfies z.ZodType<BulkReport>
