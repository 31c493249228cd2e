import type { WorkingCalendar } from '../../domain/people/working-time.ts'
import type { Tx } from '../shared/database.ts'
import { execute, insertReturning, requireRow, select, selectOne } from '../shared/statements.ts'
import { list, omit, type Row } from '../shared/table.ts'
import { workingCalendarsTable } from './tables.ts'

const CALENDAR = omit(workingCalendarsTable, 'workspace_id')
/** A working-hours calendar of the workspace. */
export type CalendarRecord = Row<typeof CALENDAR>

/** Returns the calendars with these names. Unknown names are omitted. */
export async function findCalendars(tx: Tx, names: string[]): Promise<Map<string, WorkingCalendar>> {
  const rows = await select(tx, CALENDAR, `select ${list(CALENDAR)} from working_calendars where name = any($1)`, [
    names,
  ])
  return new Map(rows.map(({ name, time_zone, hours, holidays }) => [name, { time_zone, hours, holidays }]))
}

export async function findCalendar(tx: Tx, name: string): Promise<CalendarRecord | undefined> {
  return selectOne(tx, CALENDAR, `select ${list(CALENDAR)} from working_calendars where name = $1`, [name])
}

/** Maximum number of calendars per workspace. */
export const MAX_CALENDARS = 100

export async function listCalendars(tx: Tx): Promise<CalendarRecord[]> {
  return select(tx, CALENDAR, `select ${list(CALENDAR)} from working_calendars order by name limit ${MAX_CALENDARS}`)
}

/** Creates or replaces a calendar. */
export async function saveCalendar(tx: Tx, calendar: Omit<CalendarRecord, 'updated_at'>): Promise<CalendarRecord> {
  const { name, time_zone, hours, holidays, updated_by } = calendar
  const record = await insertReturning(
    tx,
    workingCalendarsTable,
    { name, time_zone, hours, holidays, updated_by },
    CALENDAR,
    `on conflict (workspace_id, name) do update
       set (time_zone, hours, holidays, updated_by, updated_at)
         = (excluded.time_zone, excluded.hours, excluded.holidays, excluded.updated_by, now())`,
  )
  return requireRow(record)
}

export async function deleteCalendar(tx: Tx, name: string): Promise<void> {
  await execute(tx, 'delete from working_calendars where name = $1', [name])
}
