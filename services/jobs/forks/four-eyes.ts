import type { ForkChanges } from '../../../data/job-forks-store.ts'
import { Forbidden } from '../../../domain/errors.ts'
import type { PathwayDefinition, PathwayNode } from '../../../domain/pathway/definition.ts'
import { listNodes } from '../../../domain/pathway/list-nodes.ts'
import type { Principal } from '../../../domain/principal.ts'
import type { Followed, Origin } from './read-origin.ts'

/** What a fork changes of a run. */
interface Changed extends Followed {
  origin: Origin
  changes: ForkChanges
}

/**
 * Throws Forbidden when somebody else than the requester changes what a run does whose requester may not decide: the one
 * who made the change could then decide about it.
 */
export function checkFourEyes(principal: Principal, { origin, pathway, pins, changes }: Changed): void {
  const isChanged = changes.input || changes.pathway_version || changes.outputs.length > 0
  const { requester, requester_person } = origin.row
  if (!isChanged || principal.person === (requester_person ?? requester)) return
  const definitions = [pathway, ...Object.values(pins.subflows)].map(({ definition }) => definition)
  if (definitions.some(excludesRequester))
    throw new Forbidden(
      `The pathway has a decision that its requester may not take: only ${requester} may fork the run with changes. A fork without changes is permitted`,
    )
}

const excludesRequester = (definition: PathwayDefinition): boolean => listNodes(definition).some(isExcluding)
const isExcluding = (node: PathwayNode): boolean => node.type === 'human' && node.exclude_requester === true
