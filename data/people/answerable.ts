import { type Candidate, mayAnswer, type Requirements } from '../../domain/people/answer-rule.ts'

export interface Answerer {
  actor: string
  person: string
  people: string[]
  groups: string[]
  /** Absent people for whom the caller stands in. */
  stands_in_for: string[]
  /** Whether the caller answers runs without a brain only as an assignee. */
  is_bound: boolean
}

/** While an intervention of one answer is open, no one has answered it: most are decided without a look at the votes. */
const hasNoVote = (condition: string) =>
  `not (quorum > 1 and exists (
      select from intervention_votes vote where vote.intervention_id = interventions.id and ${condition}))`

const isQuery = (condition: string): boolean => condition.includes('exists (')

/** The requirements in terms of the columns of `interventions`. Those in TypeScript are in `domain/people/answering.ts`. */
const CONDITIONS: Requirements<string, string> = {
  // Postgres evaluates them in this order: what only reads the row comes first.
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
 * Returns the conditions that leave the interventions which the caller may answer now.
 *
 * The planner takes a `case` to hold for half of the rows, and these conditions without it for hardly one: then it sorts all that
 * is open in place of reading the first page in the order of an index.
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
