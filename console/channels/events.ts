import type { Item } from '@ganglion/client'

/** Events that people are notified of. */
export const EVENTS: Record<Item<'notifications.list'>['type'], string> = {
  'intervention.requested': 'New tasks',
  'intervention.reminded': 'Reminders',
  'intervention.escalated': 'Escalations',
  'intervention.answered': 'Answers in your runs',
  'intervention.unanswerable': 'Tasks that guests cannot answer by email',
  'job.failed': 'Failed runs',
  'trigger.health_changed': 'Triggers that need attention',
}

export type NotifiedEvent = keyof typeof EVENTS

/** Events that concern groups: those of tasks that are assigned to them. */
export const GROUP_EVENTS: NotifiedEvent[] = [
  'intervention.requested',
  'intervention.reminded',
  'intervention.escalated',
]
