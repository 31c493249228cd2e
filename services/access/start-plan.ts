import type { Plans } from '../../config/plans.ts'
import type { StoredPlan } from '../../data/access/plans-store.ts'
import { parseMoment } from '../../domain/shared/durations.ts'
import { ValidationError } from '../../domain/shared/errors.ts'

const DAY_MS = 86_400_000

/** Plan settings for a new workspace. */
export interface PlanChoice {
  /** Default: the default plan. */
  plan?: string
  /** ISO 8601. Default: now plus the trial days of the plan, or never. */
  trial_ends_at?: string
}

interface PlanSettings {
  PLANS: Plans
  DEFAULT_PLAN: string
}

/** Returns the plan to store for a workspace whose plan starts immediately. Throws ValidationError. */
export function startPlan({ PLANS, DEFAULT_PLAN }: PlanSettings, { plan, trial_ends_at }: PlanChoice): StoredPlan {
  const settings = PLANS[plan ?? DEFAULT_PLAN]
  if (!settings)
    throw new ValidationError(`Plan "${plan}" does not exist. Available plans: ${Object.keys(PLANS).join(', ')}`)
  if (trial_ends_at !== undefined && parseMoment(trial_ends_at) === undefined)
    throw new ValidationError('The trial end must be a time such as 2026-01-31T12:00:00Z')
  const { trial_days } = settings
  const end = trial_days === null ? null : new Date(Date.now() + trial_days * DAY_MS).toISOString()
  return { plan: plan ?? null, trial_ends_at: trial_ends_at ?? end }
}
