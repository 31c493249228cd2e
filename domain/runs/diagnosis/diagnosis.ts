import type { JsonObject } from '../../shared/json/json.ts'
import type { MissingFact } from './facts.ts'

/** Causes of a run's current state, in the order in which the rules are tried. */
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

/** Causes that the run cannot resolve on its own. A parent of such a run is stuck too. */
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

/** The result of a diagnosis rule. */
export interface Finding {
  cause: Cause
  /** Start time of the cause (ISO 8601). Absent if no record contains it. */
  since?: string
  /** One or two sentences. */
  message: string
  /** The recommended next step. */
  action: string
  evidence: JsonObject
}

export interface Diagnosis extends Finding {
  /** Facts that could not be retrieved in time. */
  missing: MissingFact[]
}
