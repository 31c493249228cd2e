/** A person has taken an intervention: no other person may answer it until it is released. */
export interface Claim {
  by: string
  /** The person behind the author; the author itself if absent. */
  person?: string
  /** ISO 8601. */
  at: string
}

/** A person has handed over the right to answer. */
export interface Delegation {
  /** The person who may not answer any more. */
  from: string
  to: string
  /** ISO 8601. */
  at: string
}

/**
 * Who deals with an intervention, beside its assignees. Its revision grows with every change of it and of the assignees:
 * of two states, the one with the higher revision is the present one.
 */
export interface Handling {
  revision: number
  claim?: Claim
  delegations: Delegation[]
}

/** The handling of an intervention that no one has changed. */
export const UNHANDLED: Handling = { revision: 0, delegations: [] }

/** What a person does with an intervention without answering it. */
export type TaskCommand =
  | { type: 'claim' }
  | { type: 'release' }
  | { type: 'reassign'; to: string[]; comment?: string }
  | { type: 'delegate'; to: string; comment?: string }

/** The kinds of changes of a handling, as events and the history name them. */
export const HANDLING_CHANGES = ['claimed', 'released', 'reassigned', 'delegated', 'escalated', 'excluded'] as const
export type HandlingChange = (typeof HANDLING_CHANGES)[number]

/** What the history of an intervention names: changes of its handling, comments and reminders. */
export const HISTORY_CHANGES = [...HANDLING_CHANGES, 'commented', 'reminded'] as const
export type HistoryChange = (typeof HISTORY_CHANGES)[number]

/** The handling and the assignees after a change. */
export interface Assignment {
  assignees: string[]
  handling: Handling
}

/** Returns the state after an escalation: all earlier assignees and the added ones may answer, and a claim has ended. */
export function escalate(assignees: string[], handling: Handling = UNHANDLED, newAssignees: string[]): Assignment {
  const { revision, delegations } = handling
  const remaining = delegations.filter(({ from }) => !newAssignees.includes(from))
  return { assignees: union(assignees, newAssignees), handling: { revision: revision + 1, delegations: remaining } }
}

/**
 * Returns the state after more people are excluded: a claim of one of them ends.
 * @param excluded all of them
 */
export const exclude = (assignees: string[], handling: Handling = UNHANDLED, excluded: string[]): Assignment => {
  const { claim } = handling
  const isOver = claim !== undefined && [claim.by, claim.person ?? claim.by].some(name => excluded.includes(name))
  const nextHandling = isOver ? endClaim(handling) : { ...handling, revision: handling.revision + 1 }
  return { assignees, handling: nextHandling }
}

/** Returns the handling without its claim. */
export const endClaim = ({ revision, delegations }: Handling): Handling => ({ revision: revision + 1, delegations })

/** Returns the names of both lists, each once. */
export const union = (names: string[], others: string[]): string[] => [...new Set([...names, ...others])]
