import type { Diagnosis, Finding } from './diagnosis.ts'
import type { RunFacts } from './facts.ts'
import { findActivity } from './rules/activities.ts'
import { findChild } from './rules/children.ts'
import { findEnd } from './rules/end.ts'
import { findTask } from './rules/tasks.ts'
import { findWait } from './rules/waits.ts'
import { findWork } from './rules/work.ts'

/** Returns what a group of rules finds at a time (ISO 8601). Undefined when none applies. */
export type Rules = (facts: RunFacts, at: string) => Finding | undefined

/** In the order of their weight: what keeps a run from all work comes before what one node waits for. */
const RULES: Rules[] = [findEnd, findTask, findChild, findActivity, findWait, findWork]

/** Names the one cause why a run is where it is. Pure. A cause whose facts are missing is never assumed. */
export function diagnose(facts: RunFacts, at: string): Diagnosis {
  const { missing } = facts
  for (const find of RULES) {
    const finding = find(facts, at)
    if (finding) return { ...finding, missing }
  }
  return {
    cause: 'unknown',
    message: 'Nothing was found that it waits for',
    action: 'Read the diagnosis again. If it stays, look at the run in the Temporal UI',
    evidence: {},
    missing,
  }
}
