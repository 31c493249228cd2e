import { FIELDS, type FieldName, isAny, parseField } from './fields.ts'

/**
 * A calendar: it matches times for which every field has one of its values. If years are absent, every year matches.
 */
export interface Calendar extends Record<Exclude<FieldName, 'year'>, number[]> {
  year?: number[]
  /** The original text. */
  comment?: string
}

/** Calendar fields as written. Default: 0 for times of day, any for days. */
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

/** Parses the fields of a calendar. `report` receives the name of each invalid field and the reason. */
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
 * Parses a cron expression with five fields, or an alias such as `@daily`. As in cron, if both a day of the month and
 * a day of the week are given, a time matches either; these become two calendars. Does not throw; `report` receives
 * each problem.
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
