import canonicalize from 'canonicalize'
import {
  ACTIONS,
  type Answer,
  type AnswerReply,
  type AnswerSource,
  type Intervention,
  type Question,
  type Vote,
  type WaitingFor,
} from './jobs.ts'
import type { JsonValue, Problem } from './json.ts'
import { escapePointer } from './json-pointer.ts'
import { isAssignee } from './principal.ts'

/** An intervention with its votes so far. It is plain JSON and is kept across continue-as-new. */
export interface OpenIntervention {
  intervention: Intervention
  votes: Vote[]
  decision?: Vote
  closed?: 'decided' | 'timed_out' | 'cancelled'
}

export type AnswerResult =
  /** `pointer` names the field of the request that is wrong, if one is. */
  | { type: 'refused'; reason: 'INVALID_INPUT' | 'NOT_ASSIGNED'; message: string; pointer?: string }
  /** The same person sent the same answer again. Nothing changes, and the reply is the earlier one. */
  | { type: 'repeated'; vote: Vote }
  | { type: 'counted'; vote: Vote; decided: boolean }

/** Evaluates an answer to an intervention. Pure; the caller has validated form data against its schema. */
export function evaluateAnswer(
  open: OpenIntervention | undefined,
  answer: Answer,
  principal: Answerer,
  at: string,
): AnswerResult {
  if (!open) return refuse('this run has no open intervention with this id')
  const { intervention, votes, decision } = open
  const previous = findVote(votes, principal)
  if (previous && isSameAnswer(previous, answer)) return { type: 'repeated', vote: previous }
  if (decision) return refuse(`already decided: ${decision.action} by ${decision.by} at ${decision.at}`)
  if (open.closed === 'timed_out') return refuse('the intervention timed out before this answer')
  if (open.closed) return refuse('the intervention is closed')
  const denied = assigneeProblem(intervention, principal)
  if (denied) return { type: 'refused', reason: 'NOT_ASSIGNED', message: denied }
  const problem = shapeProblem(intervention, answer)
  if (problem) return { ...refuse(problem.message), pointer: problem.pointer }
  if (previous) return refuse(describeVote(previous))
  const { actor, person, via } = principal
  const vote = { ...answer, by: actor, ...(person !== undefined && { person }), ...(via && { via }), at }
  const approvals = votes.filter(other => other.action === answer.action).length + 1
  return { type: 'counted', vote, decided: answer.action === 'reject' || approvals >= intervention.quorum }
}

/** Returns why a person may not answer an open intervention, with any answer. */
export function findRefusal(
  { votes, ...intervention }: Pick<Intervention, 'assignees' | 'excluded'> & Pick<OpenIntervention, 'votes'>,
  principal: Answerer,
): string | undefined {
  const previous = findVote(votes, principal)
  return previous ? describeVote(previous) : assigneeProblem(intervention, principal)
}

const findVote = (votes: Vote[], principal: Answerer): Vote | undefined =>
  votes.find(vote => (vote.person ?? vote.by) === toPerson(principal))

const describeVote = ({ by, action, at }: Vote): string => `${by} already answered ${action} at ${at}`

interface Answerer {
  actor: string
  /** The person behind the actor; the actor itself if absent. */
  person?: string
  groups: string[]
  via?: AnswerSource
}

const toPerson = ({ actor, person = actor }: Answerer): string => person

const refuse = (message: string) => ({ type: 'refused' as const, reason: 'INVALID_INPUT' as const, message })

/** Compares two answers without author and time. */
export const isSameAnswer = (one: Answer, other: Answer): boolean => toCanonical(one) === toCanonical(other)

const toCanonical = ({ action, comment, data, answers }: Answer): string | undefined =>
  canonicalize([action, comment ?? null, data ?? null, answers ?? null])

const DESCRIPTIONS = { approval: 'an approval', form: 'a form', questions: 'questions' }

/** Returns the problem of an answer, with its pointer in the body of the request. */
function shapeProblem({ kind, questions = [] }: Intervention, answer: Answer): Problem | undefined {
  if (!ACTIONS[kind].includes(answer.action)) {
    const wrong = `${answer.action} does not answer ${DESCRIPTIONS[kind]}`
    return { pointer: '/input/action', message: `${wrong}: the action must be ${ACTIONS[kind].join(' or ')}` }
  }
  if (answer.action === 'submit_input' && answer.data === undefined)
    return { pointer: '/input/data', message: 'submit_input requires data' }
  if (answer.action === 'answer_questions') return answersProblem(questions, answer.answers ?? {})
  return answer.answers && { pointer: '/input/answers', message: 'answers must only be sent with answer_questions' }
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

/** Returns the reason why a person may not answer, or undefined. */
export function assigneeProblem(
  { assignees, excluded }: Pick<Intervention, 'assignees' | 'excluded'>,
  principal: Answerer,
): string | undefined {
  if (excluded === toPerson(principal)) return `${excluded} started this run and may not decide here`
  if (assignees.length === 0 || isAssignee(principal, assignees)) return undefined
  return `${principal.actor} is not an assignee: ${assignees.join(', ')}`
}

/** Builds the reply to an answer from its vote. */
export function buildReply(jobId: string, open: OpenIntervention, vote: Vote): AnswerReply {
  const index = open.votes.findIndex(other => other.by === vote.by)
  const upTo = open.votes.slice(0, index + 1)
  const approvals = countApprovals(upTo)
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

/** Returns the output of the human node. */
export function toOutput({ action, by, at, comment, data, answers }: Vote): JsonValue {
  const output: { [key: string]: JsonValue } = { action, by, at }
  if (comment !== undefined) output.comment = comment
  if (data !== undefined) output.data = data
  if (answers !== undefined) output.answers = answers
  return output
}

export function toWaitingFor({ intervention, votes }: OpenIntervention): WaitingFor {
  const { id, node_key: _key, excluded: _excluded, ...shown } = intervention
  return { interventionId: id, ...shown, actions: ACTIONS[intervention.kind], approvals: countApprovals(votes) }
}

/** Returns the number of votes that count towards the quorum. */
export const countApprovals = (votes: Vote[]): number => votes.filter(({ action }) => action !== 'reject').length
