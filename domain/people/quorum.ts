import { countApprovals, isRightUnused, type OpenIntervention } from './answering.ts'
import { isGroupName } from '../access/principal.ts'
import type { Assignment } from './handling.ts'

/**
 * Returns why the assignees could not reach the quorum. The size of a group is not known here, so that a group is
 * taken to be large enough.
 */
export function quorumProblem(
  { intervention, votes }: OpenIntervention,
  { assignees, handling: { delegations } }: Assignment,
): string | undefined {
  if (assignees.length === 0 || assignees.some(isGroupName)) return undefined
  const { quorum, excluded } = intervention
  const able = assignees.filter(name => isRightUnused(name, { excluded, delegations, votes }))
  const missing = quorum - countApprovals(votes, excluded)
  if (able.length >= missing) return undefined
  return `the quorum needs ${missing} more ${missing === 1 ? 'person' : 'people'}, and of these ${able.length} may answer`
}
