import type { JsonObject, JsonValue } from '../shared/json/json.ts'
import type { TriggerTypeName } from './types/index.ts'

/**
 * What was decided about an event: `fired` has started a run; `filtered`: the filter is false; `limited`: a limit of the
 * trigger or of the plan; `duplicate`: the event had come before; `failed_mapping`: the filter or the input does not fit the
 * event or the target; `paused`; `target_missing`: the target is deleted or switched off; `refused`: anything else that
 * prevents a run, such as the end of a trial.
 */
export const FIRING_DECISIONS = [
  'fired',
  'filtered',
  'limited',
  'duplicate',
  'failed_mapping',
  'paused',
  'target_missing',
  'refused',
] as const
/** Decisions that keep a trigger from starting a run that it should start. */
export const FAILURES: readonly FiringDecision[] = ['failed_mapping', 'refused', 'target_missing']

export const isFailure = (decision: FiringDecision): boolean => FAILURES.includes(decision)

export type FiringDecision = (typeof FIRING_DECISIONS)[number]

/** An event of a trigger, and what became of it. */
export interface Firing {
  id: string
  trigger_id: string
  /** The version of the trigger that decided. */
  trigger_version: number
  /** What made it fire: the type of the trigger, or `manual`. */
  source: TriggerTypeName
  decision: FiringDecision
  reason: string | null
  job_id: string | null
  dedupe_key: string
  /** The firing that had the key first. */
  duplicate_of: string | null
  /** The firing whose event this one repeats on request. */
  replay_of: string | null
  /** Number of triggers that led to this firing, without this one. */
  depth: number
  /** Who fired it by request; null for what happened by itself. */
  fired_by: string | null
  event: JsonObject | null
  /** The input of the run. */
  input: JsonValue
  /** ISO 8601. */
  created_at: string
}
