import { parse } from 'tinyduration'

const NUMBER = '\\d{1,9}(?:[.,]\\d{1,9})?'
const FORM = new RegExp(`^P(?:${NUMBER}W)?(?:${NUMBER}D)?(?:T(?=\\d)(?:${NUMBER}H)?(?:${NUMBER}M)?(?:${NUMBER}S)?)?$`)
/** A hundred years: beyond any wait, and well inside what a date can hold. */
const MAX_DURATION_MS = 36_525 * 86_400_000

/**
 * Milliseconds of an ISO 8601 duration. Weeks, days and smaller only: months and years have no fixed length.
 * Undefined when the text is no such duration, is shorter than a millisecond or longer than a hundred years.
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

/** The moment a duration after an ISO 8601 time, as ISO 8601. The duration was checked when the pathway was saved. */
export function addDuration(at: string, duration: string): string {
  return new Date(Date.parse(at) + (parseDurationMs(duration) ?? 0)).toISOString()
}

const TIME = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/

/**
 * A moment in ISO 8601, in the form times have everywhere: UTC, with milliseconds. Undefined for any other text; without
 * an offset a time would mean another moment on each machine.
 */
export function parseMoment(text: string): string | undefined {
  const time = TIME.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(time) ? undefined : new Date(time).toISOString()
}
