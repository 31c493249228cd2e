import type { Item } from '@ganglion/client'
import { useSignedIn } from '../shared/service/signed-in.tsx'
import { useRead } from '../shared/service/use-service.ts'

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

/** Refresh interval in milliseconds, because notifications are written shortly after their event. */
export const REFRESH_MS = 10_000

/** Loads the number of the person's unread notifications. */
export function useUnread(): number {
  const { can } = useSignedIn()
  const { data } = useRead(
    ['notifications', 'unread'],
    ({ notifications }) => notifications.list({ unread: 'true', limit: 1 }),
    { enabled: can('interventions:read'), refetchInterval: REFRESH_MS },
  )
  return data?.total ?? 0
}
