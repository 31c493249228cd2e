import { findNextMorning, type WorkingCalendar } from '../../../domain/people/working-time.ts'

/** Without a calendar, digests are sent each day at 8:00 UTC. */
const EVERY_DAY: WorkingCalendar = {
  time_zone: 'UTC',
  hours: Object.fromEntries(['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'].map(day => [day, ['08:00-24:00']])),
  holidays: [],
}

/** Returns when the next digest is due: at the start of the next working day. Null if there is none. */
export const findNextDigest = (calendar: WorkingCalendar | undefined, after: Date): string | null =>
  findNextMorning(calendar ?? EVERY_DAY, after.toISOString()) ?? null
