import { LRUCache } from 'lru-cache'
import { invalidArgumentsError } from '../errors.ts'
import type { Builtin } from './builtin.ts'

/** Cached formatters by time zone, because creating a formatter takes a millisecond. */
const formats = new LRUCache<string, Intl.DateTimeFormat>({
  max: 100,
  memoMethod: timeZone => new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'full', timeStyle: 'long' }),
})

/** Returns the current time, with the date and time in a given time zone. */
export const currentTime: Builtin = ({ args }) => {
  const { time_zone = 'UTC' } = args as unknown as { time_zone?: string }
  const now = new Date()
  try {
    return { now: now.toISOString(), time_zone, local: formats.memo(time_zone).format(now) }
  } catch {
    throw invalidArgumentsError([{ pointer: '/time_zone', message: 'must be a time zone, such as Europe/Berlin' }])
  }
}
