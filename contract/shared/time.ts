import { z } from 'zod'

/** The range of times that Postgres and Elasticsearch can store. */
const FIRST_TIME = Date.parse('0001-01-01T00:00:00.000Z')
const LAST_TIME = Date.parse('9999-12-31T23:59:59.999Z')

/** Converts a time to UTC, because Postgres doesn't support offsets of 16 hours or more. */
const toUtc = (text: string): string =>
  new Date(Math.min(Math.max(Date.parse(text), FIRST_TIME), LAST_TIME)).toISOString()

/**
 * A point in time in a request, converted to UTC. Times outside the years 1 to 9999 are replaced by the nearest valid
 * time.
 */
export const moment = z.iso
  .datetime({ offset: true, message: 'must be a time such as 2026-01-31T12:00:00Z' })
  .transform(toUtc)
/** A point in time in a response. */
export const timestamp = z.string().meta({ format: 'date-time' })
