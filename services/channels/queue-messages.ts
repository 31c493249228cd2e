import { type ChangedSubject, markMessagesDue } from '../../data/channels/channel-messages-store.ts'
import { insertNotificationEvents, type NotificationEvent } from '../../data/channels/notifications-store.ts'
import type { Tx } from '../../data/shared/database.ts'
import type { NotifiedEvent } from '../../domain/channels/notification.ts'
import type { EventType, WorkspaceEvent } from '../../domain/webhooks/events.ts'
import type { PublishedEvent } from '../triggers/events/queue-events.ts'

/** Events after which the answer of a run looks different in a channel. */
const RUN_EVENTS = new Set<EventType>(['job.waiting', 'job.resumed', 'job.completed', 'job.failed', 'job.cancelled'])

/** Events about tasks, by the event that people are notified of. Other people may have to answer after each of them. */
const TASK_EVENTS: Partial<Record<EventType, NotifiedEvent>> = {
  'intervention.requested': 'intervention.requested',
  'intervention.reassigned': 'intervention.requested',
  'intervention.delegated': 'intervention.requested',
  'intervention.reminded': 'intervention.reminded',
  'intervention.escalated': 'intervention.escalated',
  'intervention.answered': 'intervention.answered',
}

/**
 * Makes existing messages due and queues events for notifications, in the publisher's transaction. Returns the number
 * of messages that are due and of queued events.
 */
export const queueChannelMessages = async (tx: Tx, events: PublishedEvent[]): Promise<number> =>
  (await markMessagesDue(tx, events.flatMap(findSubject))) +
  (await insertNotificationEvents(tx, events.flatMap(findNotificationEvent)))

function findSubject({ row: { workspace_id }, event }: PublishedEvent): ChangedSubject[] {
  const { type, intervention, job } = event
  if (intervention) return [{ workspace_id, id: intervention.id }]
  return job && RUN_EVENTS.has(type) ? [{ workspace_id, id: job.id }] : []
}

function findNotificationEvent({ row: { workspace_id, event_id }, event }: PublishedEvent): NotificationEvent[] {
  const notified = findNotified(event)
  return notified ? [{ workspace_id, event_id, ...notified }] : []
}

function findNotified({
  type,
  intervention,
  job,
  trigger,
}: WorkspaceEvent): Pick<NotificationEvent, 'type' | 'subject'> | undefined {
  const taskEvent = TASK_EVENTS[type]
  if (intervention && taskEvent) return { type: taskEvent, subject: intervention.id }
  if (type === 'job.failed' && job && job.root_job_id === job.id) return { type, subject: job.id }
  const isUnhealthy = trigger && trigger.health !== 'ok' && trigger.health !== 'paused'
  return type === 'trigger.health_changed' && isUnhealthy ? { type, subject: trigger.id } : undefined
}
