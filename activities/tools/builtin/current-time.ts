import { argumentsInvalid } from '../errors.ts'
import type { Builtin } from './builtin.ts'

/** Returns the current time, with date and time in a time zone. */
export const currentTime: Builtin = ({ args }) => {
  const { time_zone = 'UTC' } = args as unknown as { time_zone?: string }
  const now = new Date()
  try {
    const shown = new Intl.DateTimeFormat('en-GB', { timeZone: time_zone, dateStyle: 'full', timeStyle: 'long' })
    return { now: now.toISOString(), time_zone, local: shown.format(now) }
  } catch {
    throw argumentsInvalid([{ pointer: '/time_zone', message: 'must be a time zone such as Europe/Berlin' }])
  }
}
