import { findTaskMail, type MessageToSend } from '../../../data/channels/channel-messages-store.ts'
import type { Tx } from '../../../data/shared/database.ts'
import type { Notice } from '../../../domain/channels/notification.ts'
import { buildSubject, type Draft, renderBody } from './draft.ts'

/** Composes a notification or a digest. A notification about a task is in the thread of the mail about the task. */
export async function composeNotice(tx: Tx, message: MessageToSend, { title, lines, url }: Notice): Promise<Draft> {
  const first = await findTaskMail(tx, message)
  return {
    state: { change: 'noticed' },
    subject: buildSubject(title),
    isReply: false,
    ...(first === undefined ? { references: [] } : { in_reply_to: first, references: [first] }),
    ...renderBody([title, lines.join('\n')], { title: 'Open in Ganglion', url }),
  }
}
