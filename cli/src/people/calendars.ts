import type { Command } from 'commander'
import { addGroup, option, repeated } from '../shared/command.ts'
import { usageError } from '../shared/exit.ts'
import { operation } from '../shared/operation.ts'

const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const
const describeCalendar = ({ name, time_zone }: { name: string; time_zone: string }) => `${name}\t${time_zone}`

/** Adds the `calendars` commands, which manage working hours. */
export const add = (program: Command): Command =>
  addGroup(program, 'calendars', [
    operation('calendars.list', {
      name: 'list',
      example: 'calendars list --json',
      print: (context, { data }) => context.print(data, list => list.map(describeCalendar).join('\n')),
    }),
    operation('calendars.save', {
      name: 'set <name>',
      example: 'calendars set office --zone Europe/Berlin --hours mon=09:00-12:00,13:00-17:00 --holiday 2026-12-25',
      options: { time_zone: option('--zone <zone>', 'time zone, such as Europe/Berlin') },
      further: [
        repeated('--hours <day=spans>', 'working hours for a weekday, such as mon=09:00-17:00; repeatable'),
        repeated('--holiday <date>', 'day off as YYYY-MM-DD; repeatable'),
      ],
      fields: ({ hours = [], holiday: holidays = [] }: { hours?: string[]; holiday?: string[] }) => ({
        hours: readHours(hours),
        holidays,
      }),
      text: describeCalendar,
    }),
    operation('calendars.delete', {
      name: 'delete <name>',
      example: 'calendars delete office',
      print: context => context.print({ deleted: true }, () => 'deleted'),
    }),
  ])

function readHours(entries: string[]): Partial<Record<(typeof WEEKDAYS)[number], string[]>> {
  const hours: Partial<Record<(typeof WEEKDAYS)[number], string[]>> = {}
  for (const entry of entries) {
    const [name = '', spans = ''] = entry.split('=')
    const day = WEEKDAYS.find(weekday => weekday === name)
    if (!day || spans === '') throw usageError(`${entry} is invalid. Use the format mon=09:00-12:00,13:00-17:00`)
    hours[day] = spans.split(',')
  }
  return hours
}
