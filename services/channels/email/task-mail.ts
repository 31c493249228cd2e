import type { MessageToSend } from '../../../data/channels/channel-messages-store.ts'
import { findNotificationRule } from '../../../data/channels/notification-rules-store.ts'
import type { Tx } from '../../../data/shared/database.ts'
import { buildTaskUrl } from '../../../domain/shared/console-link.ts'
import { findTask } from '../find-task.ts'
import { describeContent, describeState, describeStatus, readTitle, WITHDRAWN } from '../describe-task.ts'
import { shorten } from '../../../domain/shared/text/shorten.ts'
import { buildReplySubject, buildSubject, type Draft, renderBody } from './draft.ts'

const MAX_DESCRIPTION_CHARS = 3_000

/**
 * Composes the mail about the latest change of a task: it was opened or closed, or it went to other people. The link
 * leads to the task's page, where people sign in and answer.
 */
export async function composeTask(tx: Tx, message: MessageToSend, baseUrl?: string): Promise<Draft | 'skipped'> {
  const { task, isMeant } = await findTask(tx, message)
  if (!task) return 'skipped'
  const isFirst = message.external_id === null
  if (isFirst && (!isMeant || task.status !== 'open')) return 'skipped'
  const subject = isFirst ? buildSubject(readTitle(task)) : buildReplySubject(readTitle(task))
  const mail = { subject, references: [], isReply: false }
  const link = { title: 'Open the task', url: buildTaskUrl(baseUrl, task.id) }
  if (!isMeant) {
    if (!(await findNotificationRule(tx, message.recipient, message.channel_id))) return 'skipped'
    return { ...mail, state: { change: 'withdrawn' }, ...renderBody([WITHDRAWN]) }
  }
  if (task.status !== 'open')
    return { ...mail, state: { change: task.status }, ...renderBody([describeStatus(task)], link) }
  // A repeated attempt sends the same mail.
  if (message.content_hash === null) mail.subject = buildSubject(readTitle(task))
  const content = shorten(describeContent(task), MAX_DESCRIPTION_CHARS)
  const lines = ['A task is waiting for your answer.', content, describeState(task, true)]
  return {
    ...mail,
    state: { change: 'opened' },
    ...renderBody(link.url === undefined ? [...lines, NO_LINK] : lines, link),
  }
}

const NO_LINK = 'Open your inbox in Ganglion to answer.'
