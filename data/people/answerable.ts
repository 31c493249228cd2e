import { type Candidate, mayAnswer, type Requirements } from '../../domain/people/answer-rule.ts'

export interface Answerer {
  actor: string
  person: string
  people: string[]
  groups: string[]
  /** Absent people whom the caller currently substitutes. */
  stands_in_for: string[]
  /** Whether the caller may answer tasks of runs without a brain only as an assignee. */
  is_bound: boolean
}

/**
 * An intervention that needs only one answer has no votes while it is open. Most interventions are therefore
 * evaluated without reading votes.
 */
const hasNoVote = (condition: string) =>
  `not (quorum > 1 and exists (
      select from intervention_votes vote where vote.intervention_id = interventions.id and ${condition}))`

const isQuery = (condition: string): boolean => condition.includes('exists (')

/**
 * The requirements as SQL over the columns of `interventions`. The TypeScript version is in
 * `domain/people/answering.ts`.
 */
const CONDITIONS: Requirements<string, string> = {
  // Postgres evaluates the conditions in this order. Conditions that need only the row come first.
  all: (...conditions) =>
    conditions.toSorted((one, other) => Number(isQuery(one)) - Number(isQuery(other))).join(' and '),
  either: (own, other) => `(${own} or ${other})`,
  areNotExcluded: people => `not excluded && ${people}`,
  isNotExcluded: person => `${person} <> all (excluded)`,
  hasNotDelegated: person =>
    `not (handling is not null and exists (
      select from json_array_elements(handling -> 'delegations') delegation where delegation ->> 'from' = ${person}))`,
  hasNotVoted: person => hasNoVote(`coalesce(vote.person, vote.actor) = ${person}`),
  hasNoSubstituteVote: person => hasNoVote(`vote.on_behalf_of = ${person}`),
  isNotClaimedByOther: person =>
    `coalesce(handling -> 'claim' ->> 'person', handling -> 'claim' ->> 'by', ${person}) = ${person}`,
  isAssigned: names => `(cardinality(assignees) = 0 or assignees && ${names})`,
  someAssignee: (people, rule) => `assignees && ${people} and exists (
    select from unnest(${people}) absent where absent = any(assignees) and ${rule('absent')})`,
}

/**
 * Returns SQL conditions for the interventions that the caller may answer now.
 *
 * The planner assumes that a `case` is true for half of the rows, but that the bare conditions are true for almost
 * none. With the bare conditions, it would sort all open interventions instead of reading the first page from an
 * index.
 */
export function answerableConditions(bind: (value: unknown) => string, answerer: Answerer): string[] {
  const { actor, person, people, groups, stands_in_for, is_bound } = answerer
  const bindNames = (names: string[]) => `${bind(names)}::text[]`
  const candidate: Candidate<string> = {
    person: bind(person),
    people: bindNames(people),
    names: bindNames([actor, ...groups]),
    absent: bindNames(stands_in_for),
  }
  const hasBrain = 'exists (select from jobs where jobs.job_id = interventions.job_id and brain_id is not null)'
  return [
    `status = 'open'`,
    `case when ${mayAnswer(CONDITIONS, candidate)} then true else false end`,
    ...(is_bound ? [`(cardinality(assignees) > 0 or ${hasBrain})`] : []),
  ]
}
