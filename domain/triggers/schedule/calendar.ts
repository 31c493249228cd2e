import { FIELDS, type FieldName, isAny, parseField } from './fields.ts'

/** Times of a calendar: those of which every field has one of its values. Absent years: all. */
export interface Calendar extends Record<Exclude<FieldName, 'year'>, number[]> {
  year?: number[]
  /** What it was written as. */
  comment?: string
}

/** The fields of a calendar as they are written. Absent ones: 0 for times of day, any for days. */
export type CalendarText = { [F in FieldName]?: string | number } & { comment?: string }

const DEFAULTS: Record<FieldName, string> = {
  second: '0',
  minute: '0',
  hour: '0',
  day_of_month: '*',
  month: '*',
  day_of_week: '*',
  year: '*',
}

/** Parses the fields of a calendar. `report` gets the name of each field that is wrong, and why. */
export function parseCalendar(
  text: CalendarText,
  report: (field: FieldName, message: string) => void,
): Calendar | undefined {
  let isValid = true
  const read = (field: FieldName): number[] => {
    try {
      return parseField(field, String(text[field] ?? DEFAULTS[field]))
    } catch (error) {
      isValid = false
      report(field, error instanceof Error ? error.message : 'is invalid')
      return []
    }
  }
  const year = text.year === undefined || isAny(String(text.year)) ? undefined : read('year')
  const parsed = Object.fromEntries(NAMES.map(field => [field, read(field)])) as Omit<Calendar, 'year' | 'comment'>
  if (!isValid) return undefined
  return { ...parsed, ...(year && { year }), ...(text.comment !== undefined && { comment: text.comment }) }
}

const NAMES = (Object.keys(FIELDS) as FieldName[]).filter(field => field !== 'year')

const ALIASES: Record<string, string> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
}

const CRON_FIELDS = ['minute', 'hour', 'day_of_month', 'month', 'day_of_week'] as const

/**
 * Parses a cron expression of five fields, or an alias such as `@daily`. As in cron, a time matches if its day is one of the
 * month's or one of the week's where both are given; these are two calendars. Throws no error: `report` gets each problem.
 */
export function parseCron(expression: string, report: (message: string) => void): Calendar[] {
  const text = expression.trim()
  const parts = (ALIASES[text.toLowerCase()] ?? text).split(/\s+/)
  if (text.startsWith('@') && !(text.toLowerCase() in ALIASES)) {
    report(`must be one of ${Object.keys(ALIASES).join(', ')}, or have five fields`)
    return []
  }
  if (parts.length !== CRON_FIELDS.length) {
    report(`must have five fields (minute, hour, day of month, month, day of week), not ${parts.length}`)
    return []
  }
  const fields = Object.fromEntries(CRON_FIELDS.map((name, i) => [name, parts[i]])) as CalendarText
  const parse = (part: CalendarText) =>
    parseCalendar({ ...part, comment: text }, (field, message) => report(`${field.replaceAll('_', ' ')} ${message}`))
  const isRestricted = (field: 'day_of_month' | 'day_of_week') => !/^[*?]/.test(String(fields[field]))
  if (!isRestricted('day_of_month') || !isRestricted('day_of_week')) return listCalendars(parse(fields))
  const byMonth = parse({ ...fields, day_of_week: '*' })
  const byWeek = parse({ ...fields, day_of_month: '*' })
  return [...listCalendars(byMonth), ...listCalendars(byWeek)]
}

const listCalendars = (calendar: Calendar | undefined): Calendar[] => (calendar ? [calendar] : [])
