import { parse } from 'tinyduration'

const NUMBER = '\\d{1,9}(?:[.,]\\d{1,9})?'
const MINUTES = `${NUMBER}M(?:${NUMBER}S)?`
const TIME_OF_DAY = `T(?:${NUMBER}H(?:${MINUTES}|${NUMBER}S)?|${MINUTES}|${NUMBER}S)`
const DAYS = `(?:${NUMBER}W(?:${NUMBER}D)?|${NUMBER}D)`
/**
 * An ISO 8601 duration in weeks, days and smaller units, without its limits. Avoids lookahead, which Go doesn't
 * support.
 */
export const DURATION_PATTERN = `^P(?:${DAYS}(?:${TIME_OF_DAY})?|${TIME_OF_DAY})$`
const FORM = new RegExp(DURATION_PATTERN)
/** 100 years: longer than any wait, and well within the date range. */
const MAX_DURATION_MS = 36_525 * 86_400_000

/**
 * Returns the milliseconds of an ISO 8601 duration in weeks, days and smaller units. Months and years have no fixed
 * length. Returns undefined for other text, and for durations below one millisecond or above 100 years.
 */
export function parseDurationMs(text: string): number | undefined {
  if (!FORM.test(text)) return undefined
  try {
    const parts = parse(text)
    const days = (parts.weeks ?? 0) * 7 + (parts.days ?? 0)
    const seconds = ((days * 24 + (parts.hours ?? 0)) * 60 + (parts.minutes ?? 0)) * 60 + (parts.seconds ?? 0)
    const ms = Math.round(seconds * 1000)
    return ms > 0 && ms <= MAX_DURATION_MS ? ms : undefined
  } catch {
    return undefined
  }
}

/** Adds a duration to an ISO 8601 time. The duration was validated when the pathway was saved. */
export function addDuration(at: string, duration: string): string {
  return new Date(Date.parse(at) + (parseDurationMs(duration) ?? 0)).toISOString()
}

const TIME = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/
const DATE = /^\d{4}-\d{2}-\d{2}/

/** Range of times that the database can store. */
const FIRST_TIME = Date.parse('0001-01-01T00:00:00.000Z')
const LAST_TIME = Date.parse('9999-12-31T23:59:59.999Z')

/**
 * Converts an ISO 8601 time to UTC with milliseconds. Returns undefined for other text, for nonexistent dates, and
 * for times without an offset, whose value would depend on the machine.
 */
export function parseMoment(text: string): string | undefined {
  const time = TIME.test(text) && hasRealDate(text) ? Date.parse(text) : Number.NaN
  return time >= FIRST_TIME && time <= LAST_TIME ? new Date(time).toISOString() : undefined
}

/** Returns whether the date at the start of a text exists. JavaScript dates convert February 30 to March 2. */
export function hasRealDate(text: string): boolean {
  const [date] = DATE.exec(text) ?? []
  const day = new Date(`${date}T00:00:00Z`)
  return date !== undefined && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date)
}
