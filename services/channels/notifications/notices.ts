import type { MessageToSend } from '../../../data/channels/channel-messages-store.ts'
import { findNotificationRule } from '../../../data/channels/notification-rules-store.ts'
import { findNotification, type Notification } from '../../../data/channels/notifications-store.ts'
import { listOpenTasksOf, type OpenTask } from '../../../data/people/interventions-store.ts'
import type { Tx } from '../../../data/shared/database.ts'
import type { Notice, NotifiedEvent } from '../../../domain/channels/notification.ts'
import { buildInboxUrl, buildRunUrl, buildTaskUrl, buildTriggerUrl } from '../../../domain/shared/console-link.ts'
import { describeAssignees, formatTime, readTitle } from '../describe-task.ts'
import { findTask } from '../find-task.ts'

const EVENT_TITLES: Record<NotifiedEvent, string> = {
  'intervention.requested': 'New task',
  'intervention.reminded': 'Reminder',
  'intervention.escalated': 'Escalated task',
  'intervention.answered': 'Task answered',
  'intervention.unanswerable': 'A guest cannot answer by email',
  'job.failed': 'Run failed',
  'trigger.health_changed': 'Trigger needs attention',
}

const MAX_DIGEST_TASKS = 20

/** Events that ask for an answer. */
const ASKING = new Set<NotifiedEvent>(['intervention.requested', 'intervention.reminded', 'intervention.escalated'])

/**
 * Describes the notification or the digest of a message. Returns undefined if the notification no longer
 * exists, if its task no longer waits for the recipient, or if the digest has no rule or no tasks.
 */
export async function findNotice(tx: Tx, message: MessageToSend, baseUrl?: string): Promise<Notice | undefined> {
  const { notification_id } = message
  if (notification_id === null) return describeDigest(tx, message, baseUrl)
  const notification = await findNotification(tx, notification_id)
  if (!notification) return undefined
  if (message.external_id === null && ASKING.has(notification.type)) {
    const { intervention_id } = notification
    const { task, isMeant } = await findTask(tx, { ...message, intervention_id })
    if (!isMeant || task?.status !== 'open') return undefined
  }
  return describeNotification(notification, baseUrl)
}

/**
 * Announces the task of a message, for services that cannot show its state. Returns undefined for a task that is closed
 * or for other people.
 */
export async function findTaskNotice(tx: Tx, message: MessageToSend, baseUrl?: string): Promise<Notice | undefined> {
  const { task, isMeant } = await findTask(tx, message)
  if (!task || !isMeant || task.status !== 'open') return undefined
  const { description, due_at } = task
  return {
    title: `${EVENT_TITLES['intervention.requested']}: ${readTitle(task)}`,
    lines: [
      ...(description === null ? [] : [description]),
      describeAssignees(task),
      ...(due_at === null ? [] : [`Due ${formatTime(due_at)}`]),
    ],
    url: buildTaskUrl(baseUrl, task.id),
  }
}

export function describeNotification(notification: Notification, baseUrl?: string): Notice {
  const { type, title, reason } = notification
  return {
    title: title === null ? EVENT_TITLES[type] : `${EVENT_TITLES[type]}: ${title}`,
    lines: reason === null ? [] : [reason],
    url: buildSubjectUrl(notification, baseUrl),
  }
}

function buildSubjectUrl({ intervention_id, job_id, trigger_id }: Notification, baseUrl?: string): string | undefined {
  if (intervention_id !== null) return buildTaskUrl(baseUrl, intervention_id)
  return job_id === null ? buildTriggerUrl(baseUrl, trigger_id ?? '') : buildRunUrl(baseUrl, job_id)
}

async function describeDigest(
  tx: Tx,
  { recipient, channel_id }: MessageToSend,
  baseUrl?: string,
): Promise<Notice | undefined> {
  const rule = await findNotificationRule(tx, recipient, channel_id)
  if (!rule) return undefined
  const options = { includesGroups: rule.includes_groups, limit: MAX_DIGEST_TASKS + 1 }
  return renderDigest(await listOpenTasksOf(tx, recipient, options), baseUrl)
}

function renderDigest(tasks: OpenTask[], baseUrl?: string): Notice | undefined {
  if (tasks.length === 0) return undefined
  const count = tasks.length > MAX_DIGEST_TASKS ? `More than ${MAX_DIGEST_TASKS}` : String(tasks.length)
  return {
    title: `${count} open ${tasks.length === 1 ? 'task' : 'tasks'}`,
    lines: tasks
      .slice(0, MAX_DIGEST_TASKS)
      .map(({ title, due_at }) => (due_at === null ? title : `${title} (due ${due_at.slice(0, 10)})`)),
    url: buildInboxUrl(baseUrl),
  }
}
