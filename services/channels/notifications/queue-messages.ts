import { insertNotificationEvents, type NotificationEvent } from '../../../data/channels/notifications-store.ts'
import type { Tx } from '../../../data/shared/database.ts'
import type { NotifiedEvent } from '../../../domain/channels/notification.ts'
import type { EventType, WorkspaceEvent } from '../../../domain/webhooks/events.ts'
import type { PublishedEvent } from '../../triggers/events/queue-events.ts'

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
 * Queues events that people are notified of, and changes that messages show, in the publisher's transaction. Returns
 * the number of queued events.
 */
export const queueChannelMessages = (tx: Tx, events: PublishedEvent[]): Promise<number> =>
  insertNotificationEvents(tx, events.flatMap(findNotificationEvent))

function findNotificationEvent({ row: { workspace_id, event_id }, event }: PublishedEvent): NotificationEvent[] {
  const queued = findNotified(event) ?? findChanged(event)
  return queued ? [{ workspace_id, event_id, ...queued }] : []
}

type QueuedSubject = Pick<NotificationEvent, 'type' | 'subject'>

function findChanged({ type, intervention, job }: WorkspaceEvent): QueuedSubject | undefined {
  if (intervention) return { type: 'changed', subject: intervention.id }
  return job && RUN_EVENTS.has(type) ? { type: 'changed', subject: job.id } : undefined
}

function findNotified({ type, intervention, job, trigger }: WorkspaceEvent): QueuedSubject | undefined {
  const taskEvent = TASK_EVENTS[type]
  if (intervention && taskEvent) return { type: taskEvent, subject: intervention.id }
  if (type === 'job.failed' && job && job.root_job_id === job.id) return { type, subject: job.id }
  const isUnhealthy = trigger && trigger.health !== 'ok' && trigger.health !== 'paused'
  return type === 'trigger.health_changed' && isUnhealthy ? { type, subject: trigger.id } : undefined
}
