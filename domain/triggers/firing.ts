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
