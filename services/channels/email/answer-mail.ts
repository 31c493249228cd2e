import type { MessageToSend } from '../../../data/channels/channel-messages-store.ts'
import { findJob } from '../../../data/runs/jobs-store.ts'
import type { Tx } from '../../../data/shared/database.ts'
import { buildRunUrl } from '../../../domain/shared/console-link.ts'
import { describeAnswer } from '../describe-answer.ts'
import { shorten } from '../../../domain/shared/text/shorten.ts'
import { buildReplySubject, type Draft, MAX_MAIL_CHARS, renderBody } from './draft.ts'

const ENDED = new Set(['completed', 'failed'])

/** Composes the one reply to a received mail: a fixed text, or the answer of a run when the run has ended. */
export async function composeAnswer(
  tx: Tx,
  { job_id, reply, received, thread }: MessageToSend,
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
  if (!ENDED.has(job.status)) return 'waiting'
  const text = describeAnswer(job, '')
  const isComplete = text.length <= MAX_MAIL_CHARS
  const url = isComplete || baseUrl === undefined ? undefined : buildRunUrl(baseUrl, job.job_id)
  return {
    ...mail,
    ...renderBody([shorten(text, MAX_MAIL_CHARS)], url === undefined ? undefined : { title: 'Open the run', url }),
  }
}
