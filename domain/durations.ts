import { parse } from 'tinyduration'

/**
 * Milliseconds of an ISO 8601 duration. Weeks, days and smaller only: months and years have no fixed length.
 * Undefined when the text is no such duration, is negative or zero.
 */
export function durationMs(text: string): number | undefined {
  try {
    const parts = parse(text)
    if (parts.negative || parts.years || parts.months) return undefined
    const days = (parts.weeks ?? 0) * 7 + (parts.days ?? 0)
    const seconds = ((days * 24 + (parts.hours ?? 0)) * 60 + (parts.minutes ?? 0)) * 60 + (parts.seconds ?? 0)
    return seconds > 0 ? Math.round(seconds * 1000) : undefined
  } catch {
    return undefined
  }
}

/** The moment a duration after an ISO 8601 time, as ISO 8601. The duration was checked when the pathway was saved. */
export function after(at: string, duration: string): string {
  return new Date(Date.parse(at) + (durationMs(duration) ?? 0)).toISOString()
}
