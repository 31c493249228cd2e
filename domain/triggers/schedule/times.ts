import type { Calendar } from './calendar.ts'
import { type Instant, toInstant, toWallTime, type WallTime } from './zone.ts'

/** The times of a schedule, before jitter. */
export interface ScheduleTimes {
  calendars: Calendar[]
  /** Times in milliseconds since the start of 1970, shifted by the offset. */
  interval?: { every: number; offset: number }
  time_zone: string
  start_at?: Instant
  end_at?: Instant
}

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000
const DAYS_OF_WEEK = 7
/** Last year that Temporal's calendars support. */
const MAX_YEAR = 2100

/** Returns the next `count` times after a moment, in order. Returns fewer if the schedule ends. */
export function listTimes(schedule: ScheduleTimes, after: Instant, count: number): Instant[] {
  const times: Instant[] = []
  let last = after
  while (times.length < count) {
    const next = findNext(schedule, last)
    if (next === undefined) break
    times.push(next)
    last = next
  }
  return times
}

/** Returns the first time after a moment, or undefined if there is none. */
export function findNext(schedule: ScheduleTimes, after: Instant): Instant | undefined {
  const { calendars, interval, time_zone, start_at, end_at } = schedule
  const from = start_at === undefined ? after : Math.max(after, start_at - 1_000)
  const candidates = calendars.map(calendar => findNextOfCalendar(calendar, time_zone, from))
  if (interval) candidates.push(findNextOfInterval(interval, from))
  const times = candidates.filter(time => time !== undefined)
  if (times.length === 0) return undefined
  const next = Math.min(...times)
  return end_at !== undefined && next > end_at ? undefined : next
}

function findNextOfInterval({ every, offset }: { every: number; offset: number }, after: Instant): Instant {
  return (Math.floor((after - offset) / every) + 1) * every + offset
}

/** Walks through matching months, days and hours. The moment counts in whole seconds. */
function findNextOfCalendar(calendar: Calendar, zone: string, after: Instant): Instant | undefined {
  const begin = beginAfter(zone, after)
  let day = Math.floor(begin.wall / DAY_MS) * DAY_MS
  for (;;) {
    const date = new Date(day)
    const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
    if (year > MAX_YEAR) return undefined
    if (calendar.year && !calendar.year.includes(year)) day = Date.UTC(year + 1, 0, 1)
    else if (!calendar.month.includes(month + 1)) day = Date.UTC(year, month + 1, 1)
    else {
      const time = isDayOf(calendar, zone, day, begin) ? findOnDay(calendar, zone, day, begin) : undefined
      if (time !== undefined) return time
      day += DAY_MS
    }
  }
}

/**
 * Start of a search: the wall time after which it starts, and whether the clock shows that hour for the second time.
 */
interface Begin {
  wall: WallTime
  isRepeated: boolean
}

function beginAfter(zone: string, after: Instant): Begin {
  const second = Math.floor(after / 1_000) * 1_000
  const wall = toWallTime(zone, second)
  return { wall, isRepeated: getHour(toWallTime(zone, second - HOUR_MS)) === getHour(wall) }
}

const getHour = (wall: WallTime): number => new Date(wall).getUTCHours()

function isDayOf({ day_of_month, day_of_week, hour }: Calendar, zone: string, day: WallTime, begin: Begin): boolean {
  const date = new Date(day)
  if (!day_of_month.includes(date.getUTCDate())) return false
  if (day_of_week.length === DAYS_OF_WEEK) return true
  const isMatch = day_of_week.includes(date.getUTCDay())
  if (day <= begin.wall) return isMatch
  return day_of_week.includes(getDayOfMidnight(zone, day)) && (isMatch || !hour.includes(0))
}

/**
 * Returns the day of the week (0 is Sunday) at midnight of a day. If clocks go forward at midnight, as in Santiago,
 * this moment still belongs to the previous day. Temporal checks the day of the week at its current search position.
 * That is midnight of a new day, and also one o'clock if it looked for a time in the hour that the day lacks.
 */
const getDayOfMidnight = (zone: string, day: WallTime): number =>
  new Date(toWallTime(zone, toInstant(zone, day))).getUTCDay()

/**
 * Returns the day's first matching time after `begin`. As in Temporal, an hour skipped by the clock has no times, and
 * an hour shown twice has them twice, an hour apart.
 */
function findOnDay(calendar: Calendar, zone: string, day: WallTime, begin: Begin): Instant | undefined {
  for (const hour of calendar.hour) {
    const from = day + hour * HOUR_MS
    if (from + HOUR_MS <= begin.wall) continue
    const isFirst = begin.wall >= from
    const wall = findInHour(calendar, from, isFirst ? begin.wall : from - 1)
    const shift = isFirst && begin.isRepeated ? HOUR_MS : 0
    if (wall !== undefined) {
      const moment = toInstant(zone, wall)
      if (getHour(toWallTime(zone, moment)) !== hour) continue
      return moment + shift
    }
    if (shift > 0 || !isRepeated(zone, from)) continue
    const again = findInHour(calendar, from, from - 1)
    if (again !== undefined) return toInstant(zone, again) + HOUR_MS
  }
  return undefined
}

/** Returns whether the clock shows the hour again before the next hour. */
const isRepeated = (zone: string, hourStart: WallTime): boolean =>
  toInstant(zone, hourStart + HOUR_MS) - toInstant(zone, hourStart) > HOUR_MS

/** Returns the first matching time in an hour after another time. */
function findInHour({ minute, second }: Calendar, hourStart: WallTime, after: WallTime): WallTime | undefined {
  for (const m of minute)
    for (const s of second) {
      const wall = hourStart + m * MINUTE_MS + s * 1_000
      if (wall > after) return wall
    }
  return undefined
}
