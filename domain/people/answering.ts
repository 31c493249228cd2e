import { writeCanonical } from '../shared/json/canonical-json.ts'
import { type Candidate, hasOwnRight, hasSeat, hasUnusedRight, mayAnswer, type Requirements } from './answer-rule.ts'
import type { Claim, Delegation, Handling } from './handling.ts'
import {
  ACTIONS,
  type Answer,
  type AnswerReply,
  type AnswerSource,
  type Intervention,
  type Question,
  type Vote,
  type WaitingFor,
} from './intervention.ts'
import type { JsonValue, Problem } from '../shared/json/json.ts'
import { escapePointer } from '../shared/json/json-pointer.ts'

/** A task with its votes so far. Plain JSON that is kept across continue-as-new. */
export interface OpenIntervention {
  intervention: Intervention
  votes: Vote[]
  decision?: Vote
  closed?: 'decided' | 'timed_out' | 'cancelled'
  /** Absent until someone changes its handling. */
  handling?: Handling
}

export interface Refusal {
  type: 'refused'
  reason: 'INVALID_INPUT' | 'NOT_ASSIGNED' | 'CLAIMED'
  message: string
  /** Pointer to the invalid field of the request, if there is one. */
  pointer?: string
}

export type AnswerResult =
  | Refusal
  /** The same person sent the same answer again. Nothing changes, and the earlier reply is returned. */
  | { type: 'repeated'; vote: Vote }
  | { type: 'counted'; vote: Vote; decided: boolean }

/** Evaluates an answer to a task. Pure. The caller must have validated form data against its schema. */
export function evaluateAnswer(
  open: OpenIntervention | undefined,
  answer: Answer,
  principal: Answerer,
  at: string,
): AnswerResult {
  if (!open) return createRefusal('this run has no open intervention with this id')
  const { intervention, votes, handling } = open
  const previous = findPreviousVote(votes, principal)
  if (previous && isSameAnswer(previous, answer)) return { type: 'repeated', vote: previous }
  const closure = closedProblem(open)
  if (closure !== undefined) return createRefusal(closure)
  const seat = findSeat({ ...intervention, ...handling, votes }, principal)
  if ('problem' in seat) return { type: 'refused', reason: 'NOT_ASSIGNED', message: seat.problem }
  const claimed = claimProblem(handling, principal)
  if (claimed !== undefined) return { type: 'refused', reason: 'CLAIMED', message: claimed }
  const problem = shapeProblem(intervention, answer)
  if (problem) return { ...createRefusal(problem.message), pointer: problem.pointer }
  if (previous) return createRefusal(describeVote(previous))
  const { actor, person, via } = principal
  const author = { by: actor, ...(person !== undefined && { person }), ...seat, ...(via && { via }) }
  const vote = { ...answer, ...author, at }
  const approvals = countApprovals([...votes, vote], intervention.excluded)
  return { type: 'counted', vote, decided: answer.action === 'reject' || approvals >= intervention.quorum }
}

/** Returns why answers are no longer accepted, or undefined. */
export function closedProblem({ decision, closed: endStatus }: OpenIntervention): string | undefined {
  if (decision) return `already decided: ${decision.action} by ${decision.by} at ${decision.at}`
  if (endStatus === 'timed_out') return 'the intervention timed out before this answer'
  return endStatus && 'the intervention is closed'
}

/** Returns why a person may not answer an open task, whatever the answer is. */
export const findRefusal = (
  intervention: AssignmentFields & Pick<Handling, 'claim'>,
  principal: Answerer,
): string | undefined => mayAnswer(requirementsOf(intervention, principal), toCandidate(principal))

/** Returns a problem if someone else has claimed the task, otherwise undefined. */
export const claimProblem = ({ claim }: Pick<Handling, 'claim'> = {}, principal: Answerer): string | undefined =>
  claim && describeClaim(claim, getPerson(principal))

const describeClaim = ({ by, person = by, at }: Claim, claimant: string): string | undefined =>
  person === claimant ? undefined : `claimed by ${by} at ${at}`

/** Determines who may answer. If `assignees` is absent, everyone may answer. */
type AssignmentFields = Pick<Intervention, 'assignees' | 'excluded'> & { delegations?: Delegation[]; votes?: Vote[] }

/** Returns a person's answer under any of their names. */
export const findPreviousVote = (votes: Vote[], principal: Answerer): Vote | undefined =>
  findVoteOf(votes, getPerson(principal))

/** Returns the answer that a person gave in their own name. */
export const findVoteOf = (votes: Vote[], person: string): Vote | undefined =>
  votes.find(vote => (vote.person ?? vote.by) === person)

const describeVote = ({ by, action, at }: Vote): string => `${by} already answered ${action} at ${at}`

/** A person who answers or handles a task. */
export interface Answerer {
  actor: string
  /** The person behind the actor. Default: the actor itself. */
  person?: string
  /** Everyone behind the actor, including the person. */
  people: string[]
  groups: string[]
  /** Absent people whose tasks they may answer too. */
  stands_in_for?: string[]
  via?: AnswerSource
}

export const getPerson = ({ actor, person = actor }: Answerer): string => person

/** Returns the name under which a caller is excluded from deciding. */
export const findExcluded = (excluded: string[] = [], { people }: Pick<Answerer, 'people'>): string | undefined =>
  people.find(name => excluded.includes(name))

/** Explains why a person may not decide. */
export const describeExcluded = (name: string): string =>
  `${name} is one of the people behind this run and may not decide here`

const createRefusal = (message: string) => ({ type: 'refused' as const, reason: 'INVALID_INPUT' as const, message })

/** Compares two answers, ignoring author and time. */
export const isSameAnswer = (answer: Answer, other: Answer): boolean =>
  writeCanonicalAnswer(answer) === writeCanonicalAnswer(other)

const writeCanonicalAnswer = ({ action, comment, data, answers }: Answer): string =>
  writeCanonical([action, comment ?? null, data ?? null, answers ?? null])

const DESCRIPTIONS = { approval: 'an approval', form: 'a form', questions: 'questions' }

/** Returns the problem with an answer, with its pointer in the request body. */
function shapeProblem({ kind, questions = [] }: Intervention, answer: Answer): Problem | undefined {
  if (!ACTIONS[kind].includes(answer.action)) {
    const wrong = `${answer.action} is not a valid action for ${DESCRIPTIONS[kind]}`
    return { pointer: '/input/action', message: `${wrong}: the action must be ${ACTIONS[kind].join(' or ')}` }
  }
  if (answer.action === 'submit_input' && answer.data === undefined)
    return { pointer: '/input/data', message: 'submit_input requires data' }
  if (answer.action === 'answer_questions') return answersProblem(questions, answer.answers ?? {})
  return answer.answers && { pointer: '/input/answers', message: 'answers are only allowed with answer_questions' }
}

function answersProblem(questions: Question[], answers: Record<string, string>): Problem | undefined {
  const pointTo = (id: string) => `/input/answers/${escapePointer(id)}`
  const unknown = Object.keys(answers).find(id => !questions.some(question => question.id === id))
  if (unknown !== undefined) return { pointer: pointTo(unknown), message: `there is no question "${unknown}"` }
  for (const { id, options } of questions) {
    const text = Object.hasOwn(answers, id) ? answers[id] : undefined
    if (text === undefined) return { pointer: pointTo(id), message: `question "${id}" must have an answer` }
    if (options && !options.includes(text))
      return { pointer: pointTo(id), message: `the answer "${text}" must be an option of question "${id}"` }
  }
  return undefined
}

/** Returns why a person has no right to answer, or undefined. */
export const assigneeProblem = (assigned: AssignmentFields, principal: Answerer): string | undefined =>
  hasSeat(requirementsOf(assigned, principal), toCandidate(principal))

/** Returns the person whose right to answer is used: the answering person, or an absent assignee. */
export function findSeat(
  assigned: AssignmentFields,
  principal: Answerer,
): { on_behalf_of?: string; answered_as?: string } | { problem: string } {
  const problem = assigneeProblem(assigned, principal)
  if (problem !== undefined) return { problem }
  const is = requirementsOf(assigned, principal)
  const candidate = toCandidate(principal)
  const isAssignee = (name: string) => assigned.assignees.includes(name)
  if (hasOwnRight(is, candidate) === undefined) {
    const answered_as = candidate.names.find(isAssignee)
    return answered_as === undefined ? {} : { answered_as }
  }
  const on_behalf_of = candidate.absent.find(name => isAssignee(name) && isRightUnused(name, assigned))
  return { on_behalf_of, answered_as: on_behalf_of }
}

/**
 * Returns whether an assignee may still answer: they have neither answered nor delegated, and no substitute has
 * answered.
 */
export const isRightUnused = (name: string, assigned: Omit<AssignmentFields, 'assignees'>): boolean =>
  hasUnusedRight(requirementsOf({ assignees: [], ...assigned }), name) === undefined

const toCandidate = (principal: Answerer): Candidate<string[]> => ({
  person: getPerson(principal),
  people: principal.people,
  names: [principal.actor, ...principal.groups],
  absent: principal.stands_in_for ?? [],
})

const NO_ONE: Pick<Answerer, 'actor'> = { actor: '' }

/**
 * The conditions of `answer-rule.ts` for one task. Each is undefined if met, otherwise the problem. For the SQL
 * version, used for task lists, see `data/people/answerable.ts`.
 */
const requirementsOf = (
  { assignees, excluded = [], delegations = [], votes = [], claim }: AssignmentFields & Pick<Handling, 'claim'>,
  { actor }: Pick<Answerer, 'actor'> = NO_ONE,
): Requirements<string | undefined, string[]> => ({
  all: (...problems) => problems.find(problem => problem !== undefined),
  either: (own, other) => (other === undefined ? undefined : own),
  areNotExcluded: people => describeIf(findExcluded(excluded, { people }), describeExcluded),
  isNotExcluded: person => describeIf(findExcluded(excluded, { people: [person] }), describeExcluded),
  hasNotDelegated: person =>
    describeIf(
      delegations.find(({ from }) => from === person),
      ({ to }) => `${person} delegated this to ${to}`,
    ),
  hasNotVoted: person => describeIf(findVoteOf(votes, person), describeVote),
  hasNoSubstituteVote: person =>
    describeIf(findSubstituteVote(votes, person), ({ by }) => `${by} already answered for ${person}`),
  isNotClaimedByOther: person => (claim ? describeClaim(claim, person) : undefined),
  isAssigned: names =>
    assignees.length === 0 || names.some(name => assignees.includes(name))
      ? undefined
      : `${actor} is not an assignee: ${assignees.join(', ')}`,
  someAssignee: (people, rule) =>
    people.some(person => assignees.includes(person) && rule(person) === undefined)
      ? undefined
      : `${actor} is not a substitute for any assignee`,
})

const describeIf = <T>(value: T | undefined, describe: (value: T) => string): string | undefined =>
  value === undefined ? undefined : describe(value)

/** Returns a substitute's answer for a person. */
export const findSubstituteVote = (votes: Vote[], person: string): Vote | undefined =>
  votes.find(vote => vote.on_behalf_of === person)

/** Builds the reply to an answer from its vote. */
export function buildReply(jobId: string, open: OpenIntervention, vote: Vote): AnswerReply {
  const index = open.votes.findIndex(other => other.by === vote.by)
  const upTo = open.votes.slice(0, index + 1)
  const approvals = countApprovals(upTo, open.intervention.excluded)
  return {
    job_id: jobId,
    interventionId: open.intervention.id,
    action: vote.action,
    by: vote.by,
    at: vote.at,
    decided: vote.action === 'reject' || approvals >= open.intervention.quorum,
    approvals,
    quorum: open.intervention.quorum,
  }
}

/** Returns the output of the human node. With a quorum, it also names everyone whose approval counted, in order. */
export function buildDecisionOutput(
  decision: Vote,
  { quorum, excluded, votes }: Pick<Intervention, 'quorum' | 'excluded'> & Pick<OpenIntervention, 'votes'>,
): JsonValue {
  const { action, by, at, on_behalf_of, comment, data, answers } = decision
  const output: { [key: string]: JsonValue } = { action, by, at }
  if (quorum > 1) output.approvers = listApprovals(votes, excluded).map(vote => vote.by)
  if (on_behalf_of !== undefined) output.on_behalf_of = on_behalf_of
  if (comment !== undefined) output.comment = comment
  if (data !== undefined) output.data = data
  if (answers !== undefined) output.answers = answers
  return output
}

export function describeWaitingFor({ intervention, votes }: OpenIntervention): WaitingFor {
  const { id, node_key: _key, excluded, ...fields } = intervention
  const approvals = countApprovals(votes, excluded)
  return { interventionId: id, ...fields, actions: ACTIONS[intervention.kind], approvals }
}

/** Returns the number of votes that count toward the quorum. Votes from people who were excluded later don't count. */
export const countApprovals = (votes: Vote[], excluded?: string[]): number => listApprovals(votes, excluded).length

const listApprovals = (votes: Vote[], excluded: string[] = []): Vote[] =>
  votes.filter(vote => vote.action !== 'reject' && !isVoteOf(vote, excluded))

const isVoteOf = ({ by, person, on_behalf_of }: Vote, people: string[]): boolean =>
  [by, person, on_behalf_of].some(name => name !== undefined && people.includes(name))
