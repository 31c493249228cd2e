import { z } from 'zod'
import type { Plan } from '../domain/access/plans.ts'
import { jsonSetting } from './json-setting.ts'

const MAX_PLANS = 100
const count = (max: number) => z.int().min(1).max(max)

/** The fields of a plan, with their limits. */
export const planFields = {
  requests_per_minute: count(100_000_000).default(6_000).describe('Maximum requests per minute for each credential'),
  open_streams: count(1_000_000).default(1_000).describe('Maximum open streams per credential'),
  runs_in_flight: count(1_000_000)
    .nullable()
    .default(null)
    .describe('Maximum open runs in the workspace that requests have started'),
  runs_in_flight_per_credential: count(1_000_000)
    .nullable()
    .default(null)
    .describe('Maximum open runs for each credential that requests have started'),
  bulk_jobs: count(10_000).default(10).describe('Maximum open bulk jobs in the workspace'),
  included_usd: z.number().positive().nullable().default(null).describe('Budget per calendar month (UTC) in USD'),
  run_reserve_usd: z
    .number()
    .nonnegative()
    .default(0.1)
    .describe('Part of the budget that each run reserves until it ends'),
  trial_days: count(3_650).nullable().default(null).describe('Days after which the workspace becomes read-only'),
}

const plan = z.strictObject(planFields) satisfies z.ZodType<Plan>

const plans = z
  .record(z.string().regex(/^[a-z][a-z0-9-]{0,60}$/, 'must have only lower-case letters, digits and hyphens'), plan)
  .refine(all => Object.keys(all).length <= MAX_PLANS, `must have at most ${MAX_PLANS} plans`)

/** Default plan for a self-hosted installation. It doesn't limit money, runs or time. */
export const STANDARD_PLAN = 'standard'

export type Plans = Record<string, Plan>

/**
 * Parses `PLANS`: a JSON object with plans by name, or the path of a file that contains one. The standard plan is
 * always included.
 */
export const planSetting = jsonSetting('{', 'a JSON object')
  .pipe(plans)
  .default({})
  .transform((customPlans): Plans => ({ [STANDARD_PLAN]: plan.parse({}), ...customPlans }))
