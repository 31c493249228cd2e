import type { ForkChanges } from '../../../data/job-forks-store.ts'
import { Forbidden } from '../../../domain/errors.ts'
import type { Principal } from '../../../domain/principal.ts'
import { type Followed, hasExcludedRequester } from '../followed.ts'
import type { Origin } from './read-origin.ts'

/** What a fork changes of a run. */
interface Changed extends Followed {
  origin: Origin
  changes: ForkChanges
}

/**
 * Throws Forbidden when a person other than the requester changes what a run does whose requester may not decide, by what it
 * has followed or by what the fork follows.
 */
export function checkFourEyes(principal: Principal, { origin, pathway, pins, changes }: Changed): void {
  const isChanged = changes.input || changes.pathway_version || changes.outputs.length > 0
  const { requester, requester_person } = origin.row
  if (!isChanged || principal.person === (requester_person ?? requester)) return
  if ([origin, { pathway, pins }].some(hasExcludedRequester))
    throw new Forbidden(
      `The pathway has a decision that its requester may not take: only ${requester} may fork the run with changes. A fork without changes is permitted`,
    )
}
