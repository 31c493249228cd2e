/** A claim to a task. Until it is released, only the person who claimed the task may answer. */
export interface Claim {
  by: string
  /** The person behind the author. Default: the author itself. */
  person?: string
  /** ISO 8601. */
  at: string
}

/** A transfer of a person's right to answer. */
export interface Delegation {
  /** The person who delegated and may no longer answer. */
  from: string
  to: string
  /** ISO 8601. */
  at: string
}

/**
 * Who handles a task, in addition to its assignees. `revision` increases with each change of the handling or the
 * assignees, so the state with the higher revision is the current one.
 */
export interface Handling {
  revision: number
  claim?: Claim
  delegations: Delegation[]
  /** Names in the escalations of a task that everyone may answer. They are only notified. */
  notified?: string[]
}

/** The handling of a task that no one has changed. */
export const UNHANDLED: Handling = { revision: 0, delegations: [] }

/** A command that changes the handling of a task without answering it. */
export type TaskCommand =
  | { type: 'claim' }
  | { type: 'release' }
  | { type: 'reassign'; to: string[]; comment?: string }
  | { type: 'delegate'; to: string; comment?: string }

/** Kinds of handling changes, as named in events and the history. */
export const HANDLING_CHANGES = ['claimed', 'released', 'reassigned', 'delegated', 'escalated', 'excluded'] as const
export type HandlingChange = (typeof HANDLING_CHANGES)[number]

/** Entries of a task history: handling changes, comments and reminders. */
export const HISTORY_CHANGES = [...HANDLING_CHANGES, 'commented', 'reminded'] as const
export type HistoryChange = (typeof HISTORY_CHANGES)[number]

/** Handling and assignees after a change. */
export interface Assignment {
  assignees: string[]
  handling: Handling
}

/**
 * Returns the state after an escalation: all earlier and added assignees may answer, and any claim ends.
 * @param keepsEveryone whether a task that everyone may answer stays so
 */
export function escalate(
  assignees: string[],
  handling: Handling = UNHANDLED,
  newAssignees: string[],
  keepsEveryone = true,
): Assignment {
  const unclaimed = endClaim(handling)
  if (assignees.length === 0 && keepsEveryone)
    return { assignees, handling: { ...unclaimed, notified: union(handling.notified ?? [], newAssignees) } }
  const delegations = handling.delegations.filter(({ from }) => !newAssignees.includes(from))
  return { assignees: union(assignees, newAssignees), handling: { ...unclaimed, delegations } }
}

/**
 * Returns the state after excluding more people. If one of them has claimed the task, the claim ends.
 * @param excluded all excluded people
 */
export const exclude = (assignees: string[], handling: Handling = UNHANDLED, excluded: string[]): Assignment => {
  const { claim } = handling
  const isOver = claim !== undefined && [claim.by, claim.person ?? claim.by].some(name => excluded.includes(name))
  const nextHandling = isOver ? endClaim(handling) : { ...handling, revision: handling.revision + 1 }
  return { assignees, handling: nextHandling }
}

/** Returns the handling without its claim. */
export const endClaim = ({ claim: _claim, ...handling }: Handling): Handling => ({
  ...handling,
  revision: handling.revision + 1,
})

/** Returns the distinct names of both lists. */
export const union = (names: string[], others: string[]): string[] => [...new Set([...names, ...others])]
