import { writeAudit } from '../../data/audit/audit-store.ts'
import {
  deleteCalendar,
  findCalendar,
  listCalendars,
  MAX_CALENDARS,
  saveCalendar,
} from '../../data/people/calendars-store.ts'
import type { Database } from '../../data/shared/database.ts'
import { NotFound, ValidationError } from '../../domain/shared/errors.ts'
import type { WorkingCalendar } from '../../domain/people/working-time.ts'
import type { Principal } from '../../domain/access/principal.ts'
import type { CalendarView } from '../../contract/people/calendar.ts'
import { checkWritable } from '../access/brains.ts'

/** A workspace's working calendars. A run keeps the calendars that it started with. */
export interface CalendarsService {
  list(principal: Principal): Promise<CalendarView[]>
  /** Throws ValidationError if the workspace already has the maximum number of calendars. */
  save(principal: Principal, name: string, calendar: WorkingCalendar): Promise<CalendarView>
  /** Throws NotFound. */
  remove(principal: Principal, name: string): Promise<void>
}

export function createCalendars({ db }: { db: Database }): CalendarsService {
  return {
    list: ({ workspace_id }) => db.inWorkspace(workspace_id, listCalendars),

    save: (principal, name, calendar) =>
      db.inWorkspace(principal.workspace_id, async tx => {
        checkWritable(principal, null)
        const before = await findCalendar(tx, name)
        if (!before && (await listCalendars(tx)).length >= MAX_CALENDARS)
          throw new ValidationError(`The workspace has ${MAX_CALENDARS} calendars, which is the maximum`)
        const after = await saveCalendar(tx, { ...calendar, name, updated_by: principal.actor })
        await writeAudit(tx, principal, {
          action: 'calendar.set',
          target: name,
          ...(before ? { before, after } : { after }),
        })
        return after
      }),

    remove: (principal, name) =>
      db.inWorkspace(principal.workspace_id, async tx => {
        checkWritable(principal, null)
        const before = await findCalendar(tx, name)
        if (!before) throw new NotFound(`Calendar "${name}"`)
        await deleteCalendar(tx, name)
        await writeAudit(tx, principal, { action: 'calendar.remove', target: name, before })
      }),
  }
}
