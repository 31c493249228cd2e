/** Unix time in milliseconds. */
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

/**
 * Returns whether the name is an IANA time zone, such as Europe/Berlin. Offsets such as +02:00 are rejected, because
 * Temporal doesn't support them.
 */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][\w+/-]{0,99}$/.test(name)) return false
  try {
    getFormat(name)
    return true
  } catch {
    return false
  }
}

/** Date and time of a clock, as Unix milliseconds of the same reading in UTC. */
export type WallTime = number

/** Returns the wall time in a zone. */
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
 * Returns the moment at which a clock in the zone shows a time. For times shown twice or never, returns the same
 * moment as Go's `time.Date`, which Temporal's schedules use. It looks up the UTC offset first as if the clock were
 * in UTC, then at the resulting moment, unless the first offset is 0.
 */
export function toInstant(zone: string, wall: WallTime): Instant {
  if (zone === 'UTC') return wall
  const guess = getOffset(zone, wall)
  return guess === 0 ? wall : wall - getOffset(zone, wall - guess)
}
