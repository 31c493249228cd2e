/**
 * The decision about an event. `fired`: a run was started. `filtered`: the filter is false. `limited`: a limit of the
 * trigger or plan was reached. `duplicate`: the event was received before. `failed_mapping`: the filter or input
 * doesn't fit the event or target. `paused`: the trigger is paused. `target_missing`: the target is deleted or
 * switched off. `refused`: anything else that prevents a run, such as the end of a trial.
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
/** Decisions that prevent a trigger from starting a run that it should start. */
export const FAILURES: readonly FiringDecision[] = ['failed_mapping', 'refused', 'target_missing']

export const isFailure = (decision: FiringDecision): boolean => FAILURES.includes(decision)

export type FiringDecision = (typeof FIRING_DECISIONS)[number]
