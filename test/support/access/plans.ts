import { pino } from 'pino'
import type { Database } from '../../../data/shared/database.ts'
import type { Plan } from '../../../domain/access/plans.ts'
import { createPlans, type PlansService } from '../../../services/access/plans.ts'

/** A plan without limits on runs, spend or time. */
export const PLAN: Plan = {
  requests_per_minute: 1_000_000,
  open_streams: 10_000,
  runs_in_flight: null,
  runs_in_flight_per_credential: null,
  bulk_jobs: 1_000,
  included_usd: null,
  run_reserve_usd: 0.1,
  trial_days: null,
}

/** Returns a plans service for a database in which every workspace has the given plan. */
export const buildPlans = (db: Database, plan: Partial<Plan> = {}): PlansService =>
  createPlans({
    db,
    config: { PLANS: { standard: { ...PLAN, ...plan } }, DEFAULT_PLAN: 'standard' },
    log: pino({ level: 'silent' }),
  })
