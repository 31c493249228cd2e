import type { EventType } from '../webhooks/events.ts'

/**
 * Events that people are notified of. They are workspace events, and `intervention.unanswerable`: a guest can't answer a
 * task by mail.
 */
export const NOTIFIED_EVENTS = [
  'intervention.requested',
  'intervention.reminded',
  'intervention.escalated',
  'intervention.answered',
  'intervention.unanswerable',
  'job.failed',
  'trigger.health_changed',
] as const satisfies (EventType | 'intervention.unanswerable')[]

export type NotifiedEvent = (typeof NOTIFIED_EVENTS)[number]

/** A short text about something that happened, which every channel can show. */
export interface Notice {
  title: string
  /** Further lines. */
  lines: string[]
  /** The page in the console. Absent without a public URL. */
  url?: string
}
