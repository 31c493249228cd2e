/** A person who wants to answer. `Names` is a list of names, or the SQL for one. */
export interface Candidate<Names> {
  /** The person behind the actor, or the actor itself. Each person answers only once. */
  person: string
  /** Everyone behind the actor, including the person. */
  people: Names
  /** The actor and its groups. */
  names: Names
  /** Absent people whom the person substitutes for. */
  absent: Names
}

/**
 * Conditions for answering a task. `Result` is a problem or undefined in TypeScript, and a condition in SQL. The
 * rules below combine the conditions; no other code decides who may answer.
 */
export interface Requirements<Result, Names> {
  all(...results: Result[]): Result
  /** Holds if one of the results holds. Otherwise, reports the first one. */
  either(own: Result, other: Result): Result
  /** None of these people is excluded. */
  areNotExcluded(people: Names): Result
  isNotExcluded(person: string): Result
  hasNotDelegated(person: string): Result
  /** The person has not voted in their own name. */
  hasNotVoted(person: string): Result
  /** No substitute has voted for the person. */
  hasNoSubstituteVote(person: string): Result
  isNotClaimedByOther(person: string): Result
  /** One of the names is an assignee, or there are no assignees. */
  isAssigned(names: Names): Result
  /** The rule holds for an assignee among these people. */
  someAssignee(people: Names, rule: (person: string) => Result): Result
}

/** A person may answer an open task if they have a seat, no one else has claimed it, and they have not voted. */
export const mayAnswer = <Result, Names>(is: Requirements<Result, Names>, candidate: Candidate<Names>): Result =>
  is.all(is.hasNotVoted(candidate.person), hasSeat(is, candidate), is.isNotClaimedByOther(candidate.person))

/** A person has a seat if they, or an absent assignee they substitute for, may answer. */
export const hasSeat = <Result, Names>(is: Requirements<Result, Names>, candidate: Candidate<Names>): Result =>
  is.all(
    is.areNotExcluded(candidate.people),
    is.either(
      hasOwnRight(is, candidate),
      is.someAssignee(candidate.absent, person => hasUnusedRight(is, person)),
    ),
  )

export const hasOwnRight = <Result, Names>(
  is: Requirements<Result, Names>,
  { person, names }: Pick<Candidate<Names>, 'person' | 'names'>,
): Result => is.all(is.hasNotDelegated(person), is.hasNoSubstituteVote(person), is.isAssigned(names))

/** A right can be used only once: a substitute's answer counts as the absent person's answer. */
export const hasUnusedRight = <Result, Names>(is: Requirements<Result, Names>, person: string): Result =>
  is.all(is.isNotExcluded(person), is.hasNotDelegated(person), is.hasNotVoted(person), is.hasNoSubstituteVote(person))
