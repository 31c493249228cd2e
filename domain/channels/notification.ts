import type { EventType } from '../webhooks/events.ts'

/** Workspace events that people are notified of. */
export const NOTIFIED_EVENTS = [
  'intervention.requested',
  'intervention.reminded',
  'intervention.escalated',
  'intervention.answered',
  'job.failed',
  'trigger.health_changed',
] as const satisfies EventType[]

export type NotifiedEvent = (typeof NOTIFIED_EVENTS)[number]

/** A short text about something that happened, which every channel can show. */
export interface Notice {
  title: string
  /** Further lines. */
  lines: string[]
  /** The page in the console. Absent without a public URL. */
  url?: string
}
