import { z } from 'zod'
import type { Plan } from '../domain/access/plans.ts'
import { jsonSetting } from './json-setting.ts'

const MAX_PLANS = 100
const count = (max: number) => z.int().min(1).max(max)

const plan = z.strictObject({
  requests_per_minute: count(100_000_000).default(6_000),
  open_streams: count(1_000_000).default(1_000),
  runs_in_flight: count(1_000_000).nullable().default(null),
  runs_in_flight_per_credential: count(1_000_000).nullable().default(null),
  bulk_jobs: count(10_000).default(10),
  included_usd: z.number().positive().nullable().default(null),
  run_reserve_usd: z.number().nonnegative().default(0.1),
  trial_days: count(3_650).nullable().default(null),
}) satisfies z.ZodType<Plan>

const plans = z
  .record(z.string().regex(/^[a-z][a-z0-9-]{0,60}$/, 'must have lower-case letters, digits and hyphens'), plan)
  .refine(all => Object.keys(all).length <= MAX_PLANS, `must be at most ${MAX_PLANS} plans`)

/** The plan of a self-hosted installation: no limit on money, runs or time. */
export const STANDARD_PLAN = 'standard'

export type Plans = Record<string, Plan>

/** Parses `PLANS`: a JSON object of plans by name, or the path of a file with one. The standard plan is always there. */
export const planSetting = jsonSetting('{', 'a JSON object')
  .pipe(plans)
  .default({})
  .transform((customPlans): Plans => ({ [STANDARD_PLAN]: plan.parse({}), ...customPlans }))
