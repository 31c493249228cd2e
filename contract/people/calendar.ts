import { z } from 'zod'
import { CALENDAR_NAME } from '../../domain/pathways/kinds/human.ts'
import { parseSpan, WEEKDAYS, type WorkingCalendar } from '../../domain/people/working-time.ts'
import { line } from '../shared/text.ts'
import { timestamp } from '../shared/time.ts'

export const calendarParams = z.object({ name: line() })

const span = z
  .string()
  .max(11)
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d-(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/, 'must look like 09:00-17:30')
  .refine(text => parseSpan(text)[0] < parseSpan(text)[1], { error: 'must end after it starts' })

const spans = z
  .array(span)
  .max(10)
  .refine(all => all.every((one, i) => i === 0 || parseSpan(all[i - 1] ?? '')[1] <= parseSpan(one)[0]), {
    error: 'must be in chronological order and not overlap',
  })

const hours = z
  .strictObject(
    Object.fromEntries(WEEKDAYS.map(day => [day, spans.optional()])) as Record<
      (typeof WEEKDAYS)[number],
      z.ZodOptional<typeof spans>
    >,
  )
  .refine(days => Object.values(days).some(list => list && list.length > 0), { error: 'must contain working hours' })
  .meta({ description: 'Working hours in local time, by weekday. Weekdays without hours are days off.' })

const fields = {
  time_zone: z.string().max(100).refine(isTimeZone, { error: 'must be an IANA time zone, such as Europe/Berlin' }),
  hours,
}

const holiday = z.iso.date()

export const calendarBody = z.strictObject({
  name: z.string().regex(new RegExp(CALENDAR_NAME), 'must have only lower-case letters, digits and hyphens'),
  ...fields,
  holidays: z.array(holiday).max(2_000).default([]).meta({ description: 'Days off' }),
}) satisfies z.ZodType<WorkingCalendar>

export const calendarView = z
  .object({
    name: z.string(),
    time_zone: z.string(),
    hours: z.record(z.string(), z.array(z.string())) as z.ZodType<WorkingCalendar['hours']>,
    holidays: z.array(z.string()),
    updated_by: z.string(),
    updated_at: timestamp,
  })
  .meta({ id: 'WorkingCalendar' })
export type CalendarView = z.output<typeof calendarView>

export const calendarList = z.object({ data: z.array(calendarView) }).meta({ id: 'WorkingCalendars' })

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).format(0) !== ''
  } catch {
    return false
  }
}
