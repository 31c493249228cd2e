/** Milliseconds of Unix time. */
export type Instant = number

const formats = new Map<string, Intl.DateTimeFormat>()

function getFormat(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    if (formats.size > 600) formats.clear()
    formats.set(zone, format)
  }
  return format
}

/** A name of the IANA database, such as Europe/Berlin. Offsets such as +02:00 are none, and Temporal does not know them. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][\w+/-]{0,99}$/.test(name)) return false
  try {
    getFormat(name)
    return true
  } catch {
    return false
  }
}

/** The date and time of a clock, as milliseconds of Unix time if the clock had UTC. */
export type WallTime = number

/** Returns what a clock of the zone shows. */
export function toWallTime(zone: string, instant: Instant): WallTime {
  if (zone === 'UTC') return instant
  const second = Math.floor(instant / 1_000) * 1_000
  const parts: Record<string, number> = {}
  for (const { type, value } of getFormat(zone).formatToParts(second)) parts[type] = Number(value)
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, parts['second'] ?? 0) + (instant - second)
}

const getOffset = (zone: string, instant: Instant): number => toWallTime(zone, instant) - instant

/**
 * Returns the moment at which a clock of the zone shows a time. Where it shows the time twice or never, this is the moment
 * that Go's `time.Date` gives, which Temporal's schedules use: the difference to UTC is first looked up as if the clock had
 * UTC, then at the moment that results, unless the first one is 0.
 */
export function toInstant(zone: string, wall: WallTime): Instant {
  if (zone === 'UTC') return wall
  const guess = getOffset(zone, wall)
  return guess === 0 ? wall : wall - getOffset(zone, wall - guess)
}
