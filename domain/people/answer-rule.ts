/** Who wants to answer. `Names` is a list of names, or the SQL of one. */
export interface Candidate<Names> {
  /** The person behind the actor, or the actor itself. A person answers once. */
  person: string
  /** Everyone behind the actor, the person included. */
  people: Names
  /** The actor and its groups. */
  names: Names
  /** Absent people for whom the person stands in. */
  absent: Names
}

/**
 * What an intervention must meet. `Result` is a problem or undefined in TypeScript, and a condition in SQL: the rules below
 * combine it, and are the only place that says who may answer.
 */
export interface Requirements<Result, Names> {
  all(...results: Result[]): Result
  /** The first result is the one to report if neither holds. */
  either(own: Result, other: Result): Result
  /** None of these people is excluded. */
  areNotExcluded(people: Names): Result
  isNotExcluded(person: string): Result
  hasNotDelegated(person: string): Result
  /** The person has not voted for themselves. */
  hasNotVoted(person: string): Result
  /** No substitute has voted for the person. */
  hasNoSubstituteVote(person: string): Result
  isNotClaimedByOther(person: string): Result
  /** One of the names is an assignee, or there are no assignees. */
  isAssigned(names: Names): Result
  /** The rule holds for an assignee among these people. */
  someAssignee(people: Names, rule: (person: string) => Result): Result
}

/** A person may answer an open intervention: they have a seat, no one else has claimed it, and they have not voted. */
export const mayAnswer = <Result, Names>(is: Requirements<Result, Names>, candidate: Candidate<Names>): Result =>
  is.all(is.hasNotVoted(candidate.person), hasSeat(is, candidate), is.isNotClaimedByOther(candidate.person))

/** A right to answer, of their own or of an absent assignee. */
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

/** A right is used once, so that a substitute and the person it stands in for count as one. */
export const hasUnusedRight = <Result, Names>(is: Requirements<Result, Names>, person: string): Result =>
  is.all(is.isNotExcluded(person), is.hasNotDelegated(person), is.hasNotVoted(person), is.hasNoSubstituteVote(person))
