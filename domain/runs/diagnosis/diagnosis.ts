import type { JsonObject } from '../../shared/json/json.ts'
import type { MissingFact } from './facts.ts'

/** Why a run is where it is, in the order in which the rules are tried. */
export const CAUSES = [
  'done',
  'component_away',
  'not_started',
  'no_worker',
  'code_mismatch',
  'workflow_task_failing',
  'history_full',
  'child_stuck',
  'heartbeat_lost',
  'rate_limited',
  'workspace_busy',
  'retrying',
  'paused',
  'budget_reached',
  'waits_for_people',
  'waits_for_event',
  'waits_for_time',
  'waits_for_turn',
  'running',
  'unknown',
] as const
export type Cause = (typeof CAUSES)[number]

/** Causes that nothing in the run ends by itself, or that keep it from its work. A parent of such a run is stuck too. */
const STUCK: ReadonlySet<Cause> = new Set([
  'component_away',
  'not_started',
  'no_worker',
  'code_mismatch',
  'workflow_task_failing',
  'history_full',
  'child_stuck',
  'heartbeat_lost',
  'rate_limited',
  'workspace_busy',
  'retrying',
])
export const isStuckCause = (cause: Cause): boolean => STUCK.has(cause)

/** What a rule found. */
export interface Finding {
  cause: Cause
  /** ISO 8601. Absent where no record says it. */
  since?: string
  /** One sentence, or two. */
  message: string
  /** What a person can do. */
  action: string
  evidence: JsonObject
}

export interface Diagnosis extends Finding {
  /** What could not be found in time. */
  missing: MissingFact[]
}
