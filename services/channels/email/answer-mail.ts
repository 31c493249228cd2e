import type { MessageToSend } from '../../../data/channels/channel-messages-store.ts'
import { queueNotificationEvent } from '../../../data/channels/notifications-store.ts'
import { findJob } from '../../../data/runs/jobs-store.ts'
import { listOpenInterventions } from '../../../data/people/interventions-store.ts'
import type { Tx } from '../../../data/shared/database.ts'
import { isVisitorName } from '../../../domain/access/principal.ts'
import { canAnswerByMail, describeQuestion } from '../../../domain/channels/email/task-answers.ts'
import { buildRunUrl } from '../../../domain/shared/console-link.ts'
import { deriveUuid } from '../../../domain/shared/name-uuid.ts'
import { presentWaitingFor } from '../../runs/views.ts'
import { describeAnswer } from '../describe-answer.ts'
import { shorten } from '../../../domain/shared/text/shorten.ts'
import { buildReplySubject, type Draft, MAX_MAIL_CHARS, renderBody } from './draft.ts'
import { buildAskedState } from './message-id.ts'

const ENDED = new Set(['completed', 'failed'])

/** Guests don't learn why a run failed. */
const FAILED = 'Your message could not be answered.'

/**
 * Composes the reply to a received mail: a fixed text, or the answer of a run when the run has ended. Before that, a
 * guest gets the questions of the run, one at a time.
 */
export async function composeAnswer(
  tx: Tx,
  { job_id, reply, received, thread, recipient }: MessageToSend,
  baseUrl?: string,
): Promise<Draft | 'waiting' | 'skipped'> {
  if (!received) return 'skipped'
  const mail = {
    state: { change: 'answered' },
    subject: buildReplySubject(received.subject),
    isReply: true,
    ...(thread === null ? { references: [] } : { in_reply_to: thread, references: [...received.references, thread] }),
  }
  if (reply !== null) return { ...mail, ...renderBody([reply]) }
  const job = job_id === null ? undefined : await findJob(tx, job_id)
  if (!job) return { ...mail, ...renderBody(['The run was removed.']) }
  const isGuest = isVisitorName(recipient)
  if (!ENDED.has(job.status)) {
    const task = isGuest ? await findQuestion(tx, job.job_id, recipient) : undefined
    if (!task) return 'waiting'
    if (!canAnswerByMail(task)) await notifyTeam(tx, task.interventionId)
    return { ...mail, state: buildAskedState(task.interventionId), ...renderBody(describeQuestion(task)) }
  }
  const text = isGuest && job.status === 'failed' ? FAILED : describeAnswer(job, '')
  const isComplete = text.length <= MAX_MAIL_CHARS
  const url = isComplete || isGuest ? undefined : buildRunUrl(baseUrl, job.job_id)
  return {
    ...mail,
    ...renderBody([shorten(text, MAX_MAIL_CHARS)], { title: 'Open the run', url }),
  }
}

/** Notifies the people behind the run, once for each task. */
const notifyTeam = (tx: Tx, subject: string): Promise<void> => {
  const type = 'intervention.unanswerable'
  return queueNotificationEvent(tx, { event_id: deriveUuid(`${type} ${subject}`), type, subject })
}

/** Returns the first open task that the guest can answer. */
async function findQuestion(tx: Tx, jobId: string, guest: string) {
  const tasks = await listOpenInterventions(tx, jobId)
  const task = tasks.find(
    ({ assignees, excluded, votes }) =>
      assignees.includes(guest) && !excluded.includes(guest) && votes.every(({ by }) => by !== guest),
  )
  return task && presentWaitingFor(task, jobId)
}
