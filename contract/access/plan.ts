import { z } from 'zod'
import { timestamp } from '../shared/time.ts'

export const planReport = z
  .object({
    name: z.string(),
    trial_ends_at: timestamp
      .nullable()
      .meta({ description: 'After it, only reads are possible. Null without a trial.' }),
    limits: z.object({
      requests_per_minute: z.int().meta({ description: 'Of one credential' }),
      open_streams: z.int().meta({ description: 'Of one credential' }),
      runs_in_flight: z.int().nullable().meta({ description: 'Of the workspace. Null without a limit.' }),
      runs_in_flight_per_credential: z.int().nullable(),
      bulk_jobs: z.int().meta({ description: 'Bulk jobs of the workspace that have not ended' }),
      included_usd: z.number().nullable().meta({ description: 'Of a calendar month (UTC). Null without a limit.' }),
      run_reserve_usd: z.number().meta({
        description: 'What a run that can call a model or transcribe reserves of the included USD until it ends',
      }),
    }),
    used: z.object({
      spent_usd: z.number().meta({ description: 'In the current month' }),
      reserved_usd: z
        .number()
        .meta({ description: 'What runs that have not ended have reserved beyond what they have used' }),
      runs_in_flight: z.int().meta({ description: 'Runs that requests have started and that are pending or running' }),
      bulk_jobs: z.int(),
    }),
  })
  .meta({
    id: 'Plan',
    description: 'The plan of the workspace, and what all of the workspace uses of it at present',
  })

/** The plan of a workspace, its spend in the current month (UTC) and its runs in flight. */
export type PlanReport = z.output<typeof planReport>
