import { parse } from 'tinyduration'
import { parseDurationMs } from '../shared/durations.ts'

export const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const
export type Weekday = (typeof WEEKDAYS)[number]

/** Working hours and holidays. */
export interface WorkingCalendar {
  /** IANA time zone name, such as Europe/Berlin. */
  time_zone: string
  /** Ordered local time spans, such as `09:00-17:30`, by weekday. A weekday without spans is a day off. */
  hours: Partial<Record<Weekday, string[]>>
  /** Holidays as YYYY-MM-DD. */
  holidays: string[]
}

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
/** Maximum number of days examined. A calendar without working time in 20 years never has any. */
const MAX_DAYS = 7_300

/**
 * Adds a duration of working time. Hours and smaller units pass only within the working hours of the calendar. Adding
 * a day leads to the same time on the next working day. Returns undefined for weeks, for durations that
 * `parseDurationMs` rejects, and if the calendar has too little working time.
 * @param at ISO 8601
 */
export function addWorkingTime(calendar: WorkingCalendar, at: string, duration: string): string | undefined {
  const parsed = parseDurationMs(duration) === undefined ? undefined : parse(duration)
  if (!parsed || parsed.weeks || !Number.isInteger(parsed.days ?? 0)) return undefined
  const { days = 0, hours = 0, minutes = 0, seconds = 0 } = parsed
  const zone = createZone(calendar.time_zone)
  const from = addWorkingDays(calendar, zone, Date.parse(at), days)
  const ms = Math.round(((hours * 60 + minutes) * 60 + seconds) * 1000)
  const end = from === undefined || ms === 0 ? from : addHours(calendar, zone, from, ms)
  return end === undefined ? undefined : new Date(end).toISOString()
}

function addWorkingDays(calendar: WorkingCalendar, zone: Zone, from: number, days: number): number | undefined {
  const local = zone.toLocal(from)
  const timeOfDay = modulo(local, DAY_MS)
  let day = local - timeOfDay
  for (let daysLeft = days, looked = 0; daysLeft > 0; looked++) {
    if (looked > MAX_DAYS) return undefined
    day += DAY_MS
    if (listSpans(calendar, day).length > 0) daysLeft--
  }
  return days === 0 ? from : zone.toUtc(day + timeOfDay)
}

function addHours(calendar: WorkingCalendar, zone: Zone, from: number, ms: number): number | undefined {
  const local = zone.toLocal(from)
  const first = local - modulo(local, DAY_MS)
  let msLeft = ms
  for (let looked = 0; looked <= MAX_DAYS; looked++) {
    const day = first + looked * DAY_MS
    for (const [begin, end] of listSpans(calendar, day)) {
      const start = Math.max(from, zone.toUtc(day + begin))
      const available = zone.toUtc(day + end) - start
      if (available >= msLeft) return start + msLeft
      if (available > 0) msLeft -= available
    }
  }
  return undefined
}

/** Returns the time itself if it is working time, else the start of the next working span. */
export function findWorkingTime(calendar: WorkingCalendar, at: string): string | undefined {
  const from = Date.parse(at)
  const span = listSpansAfter(calendar, from).next().value
  return span && new Date(Math.max(from, span.start)).toISOString()
}

/** Returns the next start of a working day. */
export function findNextMorning(calendar: WorkingCalendar, after: string): string | undefined {
  const from = Date.parse(after)
  for (const { start, isFirst } of listSpansAfter(calendar, from))
    if (isFirst && start > from) return new Date(start).toISOString()
  return undefined
}

/** Lists the working spans that end after a time, in order. `isFirst`: no earlier span starts on the day. */
function* listSpansAfter(
  calendar: WorkingCalendar,
  from: number,
): Generator<{ start: number; isFirst: boolean }, undefined> {
  const zone = createZone(calendar.time_zone)
  const local = zone.toLocal(from)
  const today = local - modulo(local, DAY_MS)
  for (let looked = 0; looked <= MAX_DAYS; looked++) {
    const day = today + looked * DAY_MS
    for (const [i, [begin, end]] of listSpans(calendar, day).entries())
      if (zone.toUtc(day + end) > from) yield { start: zone.toUtc(day + begin), isFirst: i === 0 }
  }
}

/** Lists the working spans of a day, in milliseconds from the start of the day. */
function listSpans({ hours, holidays }: WorkingCalendar, day: number): [begin: number, end: number][] {
  const date = new Date(day)
  if (holidays.includes(date.toISOString().slice(0, 10))) return []
  const weekday = WEEKDAYS[date.getUTCDay()] as Weekday
  return (hours[weekday] ?? []).map(parseSpan)
}

/** Returns the start and end of a span such as `09:00-17:30`, in milliseconds from the start of the day. */
export function parseSpan(span: string): [begin: number, end: number] {
  const [begin = '', end = ''] = span.split('-')
  return [parseTime(begin), parseTime(end)]
}

function parseTime(text: string): number {
  const [hours = 0, minutes = 0] = text.split(':').map(Number)
  return (hours * 60 + minutes) * MINUTE_MS
}

/** Converts between UTC and a zone's local time, both in milliseconds. Local time is represented as if it were UTC. */
interface Zone {
  toLocal(utc: number): number
  toUtc(local: number): number
}

function createZone(timeZone: string): Zone {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  const toLocal = (utc: number): number => {
    const parts = Object.fromEntries(format.formatToParts(utc).map(({ type, value }) => [type, Number(value)]))
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
    return Date.UTC(year, month - 1, day, hour, minute, second) + modulo(utc, 1000)
  }
  return {
    toLocal,
    // The second step handles times near a clock change.
    toUtc(local) {
      const guess = local - (toLocal(local) - local)
      return local - (toLocal(guess) - guess)
    },
  }
}

const modulo = (value: number, by: number): number => ((value % by) + by) % by
