import type { MessageToSend } from '../../data/channels/channel-messages-store.ts'
import type { Tx } from '../../data/shared/database.ts'
import type { Notice } from '../../domain/channels/notification.ts'
import { buildTaskUrl } from '../../domain/shared/console-link.ts'
import { findTask } from './find-task.ts'

/**
 * Announces the task of a message, for services that cannot show its state. Returns undefined for a task that is closed
 * or for other people.
 */
export async function findTaskNotice(tx: Tx, message: MessageToSend, baseUrl?: string): Promise<Notice | undefined> {
  const { task, isMeant } = await findTask(tx, message)
  if (!task || !isMeant || task.status !== 'open') return undefined
  const { title, description, assignees, due_at } = task
  return {
    title: `New task: ${title}`,
    lines: [
      ...(description === null ? [] : [description]),
      `For ${assignees.join(', ')}`,
      ...(due_at === null ? [] : [`Due ${due_at.slice(0, 16).replace('T', ' ')} UTC`]),
    ],
    url: baseUrl === undefined ? undefined : buildTaskUrl(baseUrl, task.id),
  }
}
