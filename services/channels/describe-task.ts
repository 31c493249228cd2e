import type { InterventionRecord } from '../../data/people/interventions-store.ts'
import { countApprovals } from '../../domain/people/answering.ts'
import type { InterventionAction, Vote } from '../../domain/people/intervention.ts'

/** Returns the title of a task, or the name of its node if the title is blank. */
export const readTitle = ({ title, node_id }: InterventionRecord): string => (title.trim() === '' ? node_id : title)

/** Replaces a task that no longer goes to its recipient. */
export const WITHDRAWN = 'This task is no longer for you.'

/** Describes what a task is about: its description and its questions. */
export const describeContent = ({ description, questions }: InterventionRecord): string =>
  [description ?? '', ...(questions ?? []).map(question => `- ${question.text}`)].join('\n').trim()

/** Describes the people who may answer. */
export const describeAssignees = ({ assignees }: Pick<InterventionRecord, 'assignees'>): string =>
  `For ${assignees.length > 0 ? assignees.join(', ') : 'everyone in the workspace'}`

/** Describes the people who may answer, the answers so far and the due time. */
export function describeState(task: InterventionRecord, isComplete: boolean): string {
  const { status, quorum, votes, due_at, handling } = task
  if (status !== 'open') return describeStatus(task)
  const parts = [
    describeAssignees(task),
    ...(quorum > 1 ? [`${countApprovals(votes, task.excluded ?? [])} of ${quorum} approvals`] : []),
    ...votes.map(describeVote),
    ...(handling?.claim ? [`claimed by ${handling.claim.by}`] : []),
    ...(due_at === null ? [] : [`due ${formatTime(due_at)}`]),
    ...(isComplete ? [] : ['too long to show here: open the task to answer it']),
  ]
  return parts.join(' · ')
}

/** Describes the outcome of a task, or that it is open. */
export function describeStatus({ status, decision }: InterventionRecord): string {
  if (status === 'open') return 'waiting for an answer'
  if (status === 'timed_out') return 'Nobody answered in time'
  if (status === 'cancelled' || !decision) return 'No longer needed'
  const comment = decision.comment === undefined ? '' : `: ${decision.comment}`
  return `${describeVote(decision)} at ${formatTime(decision.at)}${comment}`
}

const DONE: Record<InterventionAction, string> = {
  approve: 'Approved',
  reject: 'Rejected',
  submit_input: 'Submitted',
  answer_questions: 'Answered',
  decline_questions: 'Declined',
}

const describeVote = ({ action, by, on_behalf_of }: Vote): string =>
  `${DONE[action]} by ${by}${on_behalf_of === undefined ? '' : ` for ${on_behalf_of}`}`

export const formatTime = (iso: string): string => `${iso.slice(0, 16).replace('T', ' ')} UTC`
