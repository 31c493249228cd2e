import type { Diagnosis, Finding } from './diagnosis.ts'
import type { RunFacts } from './facts.ts'
import { findActivity } from './rules/activities.ts'
import { findChild } from './rules/children.ts'
import { findEnd } from './rules/end.ts'
import { findTask } from './rules/tasks.ts'
import { findWait } from './rules/waits.ts'
import { findWork } from './rules/work.ts'

/** Returns what a group of rules finds at a time (ISO 8601). Undefined if no rule applies. */
export type Rules = (facts: RunFacts, at: string) => Finding | undefined

/** In order of priority: causes that block the whole run come before those that block one node. */
const RULES: Rules[] = [findEnd, findTask, findChild, findActivity, findWait, findWork]

/** Finds the single cause of a run's current state. Pure. Never assumes a cause if its facts are missing. */
export function diagnose(facts: RunFacts, at: string): Diagnosis {
  const { missing } = facts
  for (const find of RULES) {
    const finding = find(facts, at)
    if (finding) return { ...finding, missing }
  }
  return {
    cause: 'unknown',
    message: 'No cause found',
    action: 'Check again. If the result stays the same, open the run in the Temporal UI',
    evidence: {},
    missing,
  }
}
