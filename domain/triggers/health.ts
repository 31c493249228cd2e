import { type FiringDecision, isFailure } from './firing.ts'

export const TRIGGER_HEALTHS = ['ok', 'paused', 'target_missing', 'failing', 'over_limit'] as const
export type TriggerHealth = (typeof TRIGGER_HEALTHS)[number]

/** Facts that determine the health of a trigger. */
export interface TriggerFacts {
  is_active: boolean
  paused: boolean
  pause_note?: string
  /** Reason why the target cannot be started. Absent if it can be started. */
  targetProblem?: string
  last_decision: FiringDecision | null
  last_reason: string | null
  /** ISO 8601. */
  last_decided_at: string | null
  /** Number of events in the 24 hours before the latest decision, and number of failed events. */
  events: number
  failures: number
  /** Number of failed runs since the last completed one. */
  failed_runs: number
  /** Why the schedule in Temporal differs from the trigger. */
  sync_error: string | null
}

export interface HealthReport {
  health: TriggerHealth
  /** A sentence. Null for `ok`. */
  health_reason: string | null
}

const LIMITED_MS = 3_600_000
/** A trigger counts as failing if at least this fraction of its events failed. */
const FAILING_PART = 0.5

/** Returns the reason that prevents a trigger from starting runs, so that no trigger stops silently. */
export function assessHealth(facts: TriggerFacts, now: number): HealthReport {
  const { last_decision, last_reason, last_decided_at, failed_runs, events, failures } = facts
  const report = (health: TriggerHealth, health_reason: string | null): HealthReport => ({ health, health_reason })
  if (facts.targetProblem !== undefined) return report('target_missing', facts.targetProblem)
  if (!facts.is_active) return report('paused', 'The trigger is switched off')
  if (facts.paused) return report('paused', facts.pause_note ?? 'The trigger is paused')
  if (facts.sync_error !== null) return report('failing', facts.sync_error)
  if (last_decision !== null && isFailure(last_decision) && failures >= FAILING_PART * events)
    return report(
      'failing',
      events > 1 ? `${failures} of ${events} events in 24 hours failed: ${last_reason}` : last_reason,
    )
  const isRecent = last_decided_at !== null && now - Date.parse(last_decided_at) < LIMITED_MS
  if (last_decision === 'limited' && isRecent) return report('over_limit', last_reason)
  if (failed_runs > 0)
    return report('failing', failed_runs === 1 ? 'The last run failed' : `The last ${failed_runs} runs failed`)
  return report('ok', null)
}
