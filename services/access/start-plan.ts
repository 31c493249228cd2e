import type { Plans } from '../../config/plans.ts'
import type { StoredPlan } from '../../data/access/plans-store.ts'
import { parseMoment } from '../../domain/shared/durations.ts'
import { ValidationError } from '../../domain/shared/errors.ts'

const DAY_MS = 86_400_000

/** Settings of a plan that a workspace gets. */
export interface PlanChoice {
  /** Default: the default plan. */
  plan?: string
  /** ISO 8601. Default: after the trial days of the plan, or never. */
  trial_ends_at?: string
}

interface PlanSettings {
  PLANS: Plans
  DEFAULT_PLAN: string
}

/** Returns what is stored for a workspace that gets the plan now. Throws ValidationError. */
export function startPlan({ PLANS, DEFAULT_PLAN }: PlanSettings, { plan, trial_ends_at }: PlanChoice): StoredPlan {
  const settings = PLANS[plan ?? DEFAULT_PLAN]
  if (!settings) throw new ValidationError(`There is no plan "${plan}"; there are ${Object.keys(PLANS).join(', ')}`)
  if (trial_ends_at !== undefined && parseMoment(trial_ends_at) === undefined)
    throw new ValidationError('The end of the trial must be a time such as 2026-01-31T12:00:00Z')
  const { trial_days } = settings
  const end = trial_days === null ? null : new Date(Date.now() + trial_days * DAY_MS).toISOString()
  return { plan: plan ?? null, trial_ends_at: trial_ends_at ?? end }
}
