import type { Command } from 'commander'
import { addCommand, addGroup, repeated, required } from '../shared/command.ts'
import { usageError } from '../shared/exit.ts'

const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const

/** `calendars`: when people work. */
export function addCalendars(program: Command): void {
  const calendars = addGroup(program, 'calendars')
  addCommand(calendars, {
    name: 'list',
    summary: 'List the working calendars',
    example: 'calendars list --json',
    run: async context => {
      const client = await context.client()
      const { data } = await client.calendars.list()
      await context.print(data, list => list.map(one => `${one.name}\t${one.time_zone}`).join('\n'))
    },
  })
  addCommand<{ zone: string; hours?: string[]; holiday?: string[] }>(calendars, {
    name: 'set <name>',
    summary: 'Create or replace a working calendar',
    example: 'calendars set office --zone Europe/Berlin --hours mon=09:00-12:00,13:00-17:00 --holiday 2026-12-25',
    options: [
      required('--zone <zone>', 'the time zone, such as Europe/Berlin'),
      repeated('--hours <day=spans>', 'the spans of a weekday, such as mon=09:00-17:00; repeatable'),
      repeated('--holiday <date>', 'a free day, as YYYY-MM-DD; repeatable'),
    ],
    run: async (context, [name = ''], { zone, hours = [], holiday = [] }) => {
      const client = await context.client()
      const body = { name, time_zone: zone, hours: readHours(hours), holidays: holiday }
      await context.print(await client.calendars.save(body), one => `${one.name}\t${one.time_zone}`)
    },
  })
  addCommand(calendars, {
    name: 'delete <name>',
    summary: 'Delete a working calendar; runs that name it no longer start',
    example: 'calendars delete office',
    run: async (context, [name = '']) => {
      const client = await context.client()
      await client.calendars.delete(name)
      await context.print({ deleted: true }, () => 'deleted')
    },
  })
}

function readHours(entries: string[]): Partial<Record<(typeof WEEKDAYS)[number], string[]>> {
  const hours: Partial<Record<(typeof WEEKDAYS)[number], string[]>> = {}
  for (const entry of entries) {
    const [name = '', spans = ''] = entry.split('=')
    const day = WEEKDAYS.find(one => one === name)
    if (!day || spans === '') throw usageError(`${entry} is not like mon=09:00-12:00,13:00-17:00`)
    hours[day] = spans.split(',')
  }
  return hours
}
