import { z } from 'zod'
import { timestamp } from '../shared/time.ts'

export const planReport = z
  .object({
    name: z.string(),
    trial_ends_at: timestamp
      .nullable()
      .meta({ description: 'End of the trial. After it, the workspace is read-only. Null without a trial.' }),
    limits: z.object({
      requests_per_minute: z.int().meta({ description: 'Maximum per credential' }),
      open_streams: z.int().meta({ description: 'Maximum per credential' }),
      runs_in_flight: z.int().nullable().meta({ description: 'Maximum for the workspace. Null if there is no limit.' }),
      runs_in_flight_per_credential: z.int().nullable(),
      bulk_jobs: z.int().meta({ description: 'Maximum number of unfinished bulk jobs in the workspace' }),
      included_usd: z
        .number()
        .nullable()
        .meta({ description: 'USD per calendar month (UTC). Null if there is no limit.' }),
      run_reserve_usd: z.number().meta({
        description:
          'USD that each run reserves from `included_usd` until the run ends, if it can call a model or transcribe audio',
      }),
    }),
    used: z.object({
      spent_usd: z.number().meta({ description: 'USD spent in the current calendar month (UTC)' }),
      reserved_usd: z.number().meta({ description: 'USD that open runs have reserved but not yet spent' }),
      runs_in_flight: z.int().meta({ description: 'Pending and running runs that were started by requests' }),
      bulk_jobs: z.int(),
    }),
  })
  .meta({
    id: 'Plan',
    description: "The workspace's plan and current usage",
  })

/** The workspace's plan, its spend in the current month (UTC) and its runs in flight. */
export type PlanReport = z.output<typeof planReport>
