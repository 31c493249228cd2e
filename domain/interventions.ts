import { ACTIONS, type Answer, type AnswerReply, type Intervention, type Vote, type WaitingFor } from './jobs.ts'
import type { JsonValue } from './json.ts'
import { namesOf } from './principal.ts'

/** An intervention with what was said to it so far. Plain JSON: it survives continue-as-new. */
export interface OpenIntervention {
  intervention: Intervention
  votes: Vote[]
  decision?: Vote
  closed?: 'decided' | 'timed_out' | 'cancelled'
}

export type Verdict =
  | { type: 'refused'; reason: 'INVALID_INPUT' | 'NOT_ASSIGNED'; message: string }
  /** The same answer by the same person again: nothing changes, the reply is the one of then. */
  | { type: 'repeated'; vote: Vote }
  | { type: 'counted'; vote: Vote; decided: boolean }

/**
 * Decides what an answer to an intervention means. Pure. The form's own schema is checked before, where schemas can be
 * compiled; everything else about the answer is checked here.
 */
export function judge(open: OpenIntervention | undefined, answer: Answer, principal: Who, at: string): Verdict {
  if (!open) return refuse('this run has no open intervention with this id')
  const { intervention, votes, decision } = open
  const mine = votes.find(vote => vote.by === principal.actor)
  if (mine && sameAnswer(mine, answer)) return { type: 'repeated', vote: mine }
  if (decision) return refuse(`already decided: ${decision.action} by ${decision.by} at ${decision.at}`)
  if (open.closed === 'timed_out') return refuse('the intervention timed out before this answer')
  if (open.closed) return refuse('the intervention is closed')
  const problem = shapeProblem(intervention, answer)
  if (problem) return refuse(problem)
  const denied = whyNot(intervention, principal)
  if (denied) return { type: 'refused', reason: 'NOT_ASSIGNED', message: denied }
  if (mine) return refuse(`${principal.actor} already answered ${mine.action} at ${mine.at}`)
  const vote = { ...answer, by: principal.actor, at }
  const approvals = votes.filter(other => other.action === answer.action).length + 1
  return { type: 'counted', vote, decided: answer.action === 'reject' || approvals >= intervention.quorum }
}

interface Who {
  actor: string
  groups: string[]
}

const refuse = (message: string): Verdict => ({ type: 'refused', reason: 'INVALID_INPUT', message })

/** Answers are the same when they say the same; `by` and `at` are not part of what is said. */
export function sameAnswer(one: Answer, other: Answer): boolean {
  const said = ({ action, comment, data, answers }: Answer) =>
    stable([action, comment ?? null, data ?? null, answers ?? null])
  return said(one) === said(other)
}

function stable(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
}

const ASKED = { approval: 'an approval', form: 'a form', questions: 'questions' }

function shapeProblem({ kind, questions }: Intervention, answer: Answer): string | undefined {
  if (!ACTIONS[kind].includes(answer.action))
    return `${answer.action} does not answer ${ASKED[kind]}: the action must be ${ACTIONS[kind].join(' or ')}`
  if (answer.action === 'submit_input' && answer.data === undefined) return 'submit_input requires data'
  if (answer.action !== 'answer_questions') return answer.answers && 'answers must only be sent with answer_questions'
  const given = answer.answers ?? {}
  const unknown = Object.keys(given).find(id => !questions?.some(question => question.id === id))
  if (unknown !== undefined) return `there is no question "${unknown}"`
  for (const question of questions ?? []) {
    const text = Object.hasOwn(given, question.id) ? given[question.id] : undefined
    if (text === undefined) return `question "${question.id}" must have an answer`
    if (question.options && !question.options.includes(text))
      return `the answer "${text}" must be an option of question "${question.id}"`
  }
  return undefined
}

function whyNot({ assignees, excluded }: Intervention, principal: Who): string | undefined {
  if (excluded === principal.actor) return `${principal.actor} started this run and may not decide here`
  if (assignees.length === 0 || namesOf(principal).some(name => assignees.includes(name))) return undefined
  return `${principal.actor} is not an assignee: ${assignees.join(', ')}`
}

/** The reply to an answer, from the vote it became. */
export function replyTo(jobId: string, open: OpenIntervention, vote: Vote): AnswerReply {
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

/** What the human node gives to the nodes after it. */
export function outputOf({ action, by, at, comment, data, answers }: Vote): JsonValue {
  const output: { [key: string]: JsonValue } = { action, by, at }
  if (comment !== undefined) output.comment = comment
  if (data !== undefined) output.data = data
  if (answers !== undefined) output.answers = answers
  return output
}

export function waitingForOf({ intervention, votes }: OpenIntervention): WaitingFor {
  const { id, node_key: _key, excluded: _excluded, ...shown } = intervention
  return { interventionId: id, ...shown, actions: ACTIONS[intervention.kind], approvals: countApprovals(votes) }
}

/** Votes that count towards the quorum. */
export const countApprovals = (votes: Vote[]): number => votes.filter(({ action }) => action !== 'reject').length
