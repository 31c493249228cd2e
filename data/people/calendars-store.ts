import type { WorkingCalendar } from '../../domain/people/working-time.ts'
import { toStorableJson } from '../../domain/shared/json/storable.ts'
import type { Tx } from '../shared/database.ts'

/** A calendar of the workspace. Times are ISO 8601. */
export interface CalendarRecord extends WorkingCalendar {
  name: string
  updated_by: string
  updated_at: string
}

const COLUMNS = 'name, time_zone, hours, holidays, updated_by, updated_at'

/** Returns the calendars of these names; those that do not exist are left out. */
export async function findCalendars(tx: Tx, names: string[]): Promise<Map<string, WorkingCalendar>> {
  const found = await tx.query<CalendarRecord[]>(`select ${COLUMNS} from working_calendars where name = any($1)`, [
    names,
  ])
  return new Map(found.map(({ name, time_zone, hours, holidays }) => [name, { time_zone, hours, holidays }]))
}

export async function findCalendar(tx: Tx, name: string): Promise<CalendarRecord | undefined> {
  const [found] = await tx.query<CalendarRecord[]>(`select ${COLUMNS} from working_calendars where name = $1`, [name])
  return found
}

/** Calendars that a workspace has at most. */
export const MAX_CALENDARS = 100

export async function listCalendars(tx: Tx): Promise<CalendarRecord[]> {
  return tx.query<CalendarRecord[]>(`select ${COLUMNS} from working_calendars order by name limit ${MAX_CALENDARS}`)
}

/** Creates a calendar, or replaces it. */
export async function saveCalendar(tx: Tx, calendar: Omit<CalendarRecord, 'updated_at'>): Promise<CalendarRecord> {
  const { name, time_zone, hours, holidays, updated_by } = calendar
  const [saved] = await tx.query<[CalendarRecord]>(
    `insert into working_calendars (name, time_zone, hours, holidays, updated_by) values ($1, $2, $3, $4, $5)
     on conflict (workspace_id, name) do update
       set (time_zone, hours, holidays, updated_by, updated_at)
         = (excluded.time_zone, excluded.hours, excluded.holidays, excluded.updated_by, now())
     returning ${COLUMNS}`,
    [name, time_zone, toStorableJson(hours), holidays, updated_by],
  )
  return saved
}

export async function deleteCalendar(tx: Tx, name: string): Promise<void> {
  await tx.query('delete from working_calendars where name = $1', [name])
}
