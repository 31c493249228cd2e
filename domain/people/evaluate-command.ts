import {
  type Answerer,
  claimProblem,
  closedProblem,
  describeExcluded,
  findExcluded,
  findPreviousVote,
  findSeat,
  findSubstituteVote,
  findVoteOf,
  getPerson,
  type OpenIntervention,
  type Refusal,
  countApprovals,
  isRightUnused,
} from './answering.ts'
import { isAssignee, isGroupName } from '../access/principal.ts'
import { type Assignment, endClaim, type HandlingChange, type TaskCommand, UNHANDLED, union } from './handling.ts'

/** A person who handles a task. */
export interface Handler extends Answerer {
  /** Names in the command under which its author could answer: their own, their groups, their keys, absent people. */
  own_names?: string[]
}

type CommandResult =
  | Refusal
  /** The task is already in the requested state. */
  | { type: 'unchanged' }
  | ({ type: 'changed'; change: HandlingChange } & Assignment)

/**
 * Evaluates a command that changes the handling of a task without answering it. Pure. The caller must have checked
 * that the author may reassign tasks in the workspace.
 * @param at ISO 8601
 */
export function evaluateCommand(
  open: OpenIntervention | undefined,
  command: TaskCommand,
  by: Handler,
  at: string,
): CommandResult {
  if (!open) return createRefusal('this run has no open intervention with this id')
  const problem = closedProblem(open)
  if (problem !== undefined) return createRefusal(problem)
  switch (command.type) {
    case 'claim':
      return claim(open, by, at)
    case 'release':
      return release(open, by)
    case 'reassign':
      return reassign(open, command.to, by)
    default:
      return delegate(open, command.to, by, at)
  }
}

function claim(open: OpenIntervention, by: Answerer, at: string): CommandResult {
  const refused = findAnswererRefusal(open, by)
  if (refused) return refused
  const { handling = UNHANDLED, intervention } = open
  if (handling.claim) return { type: 'unchanged' }
  const { actor, person } = by
  const newClaim = { by: actor, ...(person !== undefined && { person }), at }
  const next = { ...handling, revision: handling.revision + 1, claim: newClaim }
  return { type: 'changed', change: 'claimed', assignees: intervention.assignees, handling: next }
}

function release({ intervention, handling = UNHANDLED }: OpenIntervention, by: Answerer): CommandResult {
  if (!handling.claim) return { type: 'unchanged' }
  const claimed = claimProblem(handling, by)
  if (claimed !== undefined) return { type: 'refused', reason: 'CLAIMED', message: claimed }
  return { type: 'changed', change: 'released', assignees: intervention.assignees, handling: endClaim(handling) }
}

function reassign(open: OpenIntervention, to: string[], by: Handler): CommandResult {
  const { intervention, handling = UNHANDLED } = open
  const { excluded, assignees: former } = intervention
  const behind = findExcluded(excluded, by)
  if (behind !== undefined)
    return createUnassignedRefusal(`${behind} is one of the people behind this run and may not choose who decides`)
  const ownName = by.own_names?.find(name => !former.includes(name))
  if (ownName !== undefined && former.length > 0 && !isAssignee(by, former))
    return createUnassignedRefusal(
      `${by.actor} could answer as ${ownName}: another person must assign this to ${ownName}`,
    )
  const assignees = union(to, [])
  const isSame = assignees.length === former.length && assignees.every(name => former.includes(name))
  if (isSame && !handling.claim && handling.delegations.length === 0) return { type: 'unchanged' }
  const next = { revision: handling.revision + 1, delegations: [] }
  return requireQuorum(open, { type: 'changed', change: 'reassigned', assignees, handling: next })
}

function delegate(open: OpenIntervention, to: string, by: Answerer, at: string): CommandResult {
  const { intervention, handling = UNHANDLED, votes } = open
  const { assignees, excluded = [] } = intervention
  const person = getPerson(by)
  if (handling.delegations.some(delegation => delegation.from === person && delegation.to === to))
    return { type: 'unchanged' }
  const refused = findAnswererRefusal(open, by)
  if (refused) return refused
  const seat = findSeat({ ...intervention, ...handling, votes }, by)
  if ('on_behalf_of' in seat) return createRefusal(`only ${seat.on_behalf_of} can delegate this, not a substitute`)
  if (assignees.length === 0) return createRefusal('everyone may answer this: delegation is not needed')
  if (to === by.actor || by.people.includes(to)) return createRefusal('you cannot delegate to yourself', '/to')
  if (excluded.includes(to)) return createRefusal(describeExcluded(to), '/to')
  const vote = findVoteOf(votes, to) ?? findSubstituteVote(votes, to)
  if (vote) return createRefusal(`${vote.by} has already answered`, '/to')
  const { revision, delegations } = handling
  const remaining = delegations.filter(({ from }) => from !== to && from !== person)
  const next = { revision: revision + 1, delegations: [...remaining, { from: person, to, at }] }
  const rest = assignees.filter(name => name !== person && name !== by.actor)
  return requireQuorum(open, { type: 'changed', change: 'delegated', assignees: union(rest, [to]), handling: next })
}

/** Returns why a person can neither answer nor claim the task. */
function findAnswererRefusal(open: OpenIntervention, by: Answerer): Refusal | undefined {
  const { votes, handling, intervention } = open
  const previous = findPreviousVote(votes, by)
  if (previous) return createRefusal(`${previous.by} already answered ${previous.action} at ${previous.at}`)
  const seat = findSeat({ ...intervention, ...handling, votes }, by)
  if ('problem' in seat) return createUnassignedRefusal(seat.problem)
  const claimed = claimProblem(handling, by)
  return claimed === undefined ? undefined : { type: 'refused', reason: 'CLAIMED', message: claimed }
}

function requireQuorum(open: OpenIntervention, result: Extract<CommandResult, { type: 'changed' }>): CommandResult {
  const problem = quorumProblem(open, result)
  return problem === undefined ? result : createRefusal(problem, '/to')
}

const createRefusal = (message: string, pointer?: string): Refusal => ({
  type: 'refused',
  reason: 'INVALID_INPUT',
  message,
  ...(pointer !== undefined && { pointer }),
})

const createUnassignedRefusal = (message: string): Refusal => ({ type: 'refused', reason: 'NOT_ASSIGNED', message })

/**
 * Returns why the assignees could not reach the quorum. Group sizes are unknown here, so a group counts as large
 * enough.
 */
function quorumProblem(
  { intervention, votes }: OpenIntervention,
  { assignees, handling: { delegations } }: Assignment,
): string | undefined {
  if (assignees.length === 0 || assignees.some(isGroupName)) return undefined
  const { quorum, excluded } = intervention
  const able = assignees.filter(name => isRightUnused(name, { excluded, delegations, votes }))
  const missing = quorum - countApprovals(votes, excluded)
  if (able.length >= missing) return undefined
  return `the quorum needs ${missing} more ${missing === 1 ? 'person' : 'people'}, but only ${able.length} of these may answer`
}
