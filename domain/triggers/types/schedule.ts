import { z } from 'zod'
import { DURATION_PATTERN, parseDurationMs } from '../../shared/durations.ts'
import type { Problem } from '../../shared/json/json.ts'
import { type Calendar, parseCalendar, parseCron } from '../schedule/calendar.ts'
import { findNext, type ScheduleTimes } from '../schedule/times.ts'
import { isTimeZone } from '../schedule/zone.ts'
import { defineTriggerType } from '../type.ts'

const MAX_CALENDARS = 20
const MIN_INTERVAL_MS = 1_000
const LONG_AGO = Date.UTC(2000, 0, 1)

const duration = z
  .string()
  .max(50)
  .regex(new RegExp(DURATION_PATTERN), 'must be an ISO 8601 duration such as PT15M or P1D')
const moment = z.iso.datetime({ offset: true, message: 'must be a time such as 2026-01-31T12:00:00Z' })
const cron = z.string().min(1).max(200)
const field = z.union([z.string().min(1).max(200), z.int().min(0)])

const calendar = z.strictObject({
  second: field.optional(),
  minute: field.optional(),
  hour: field.optional(),
  day_of_month: field.optional(),
  month: field.optional(),
  day_of_week: field.optional(),
  year: field.optional(),
  comment: z.string().min(1).max(200).optional(),
})

/** Policies for a scheduled time at which the previous run has not ended. */
export const OVERLAPS = ['skip', 'buffer_one', 'allow', 'cancel_other'] as const

const settings = z.strictObject({
  /** Five fields with optional names, or an alias such as `@daily`; or a list of these. */
  cron: z.union([cron, z.array(cron).min(1).max(MAX_CALENDARS)]).optional(),
  /** Times at regular intervals since the start of 1970, shifted by the offset. */
  interval: z.strictObject({ every: duration, offset: duration.optional() }).optional(),
  /** Times given by calendar fields, each written as in cron. Default: 0 for times of day, any value for days. */
  calendars: z.array(calendar).min(1).max(MAX_CALENDARS).optional(),
  /** IANA time zone name for cron and calendars. */
  time_zone: z.string().min(1).max(100).default('UTC'),
  /** Maximum delay of each time. The same time always gets the same delay. */
  jitter: duration.optional(),
  start_at: moment.optional(),
  end_at: moment.optional(),
  overlap: z.enum(OVERLAPS).default('skip'),
  /** A scheduled time that was missed during an outage still fires if it is not older than this. */
  catch_up: duration.default('PT1H'),
})

export type ScheduleSettings = z.output<typeof settings>

/** Fires at scheduled times, using Temporal Schedules. */
export const schedule = defineTriggerType({
  settings,
  isRequired: true,
  problems: findProblems,
  event: { scheduled_at: 'The scheduled time (ISO 8601), unaffected by jitter or a late start' },
  defaultInput: {},
})

function findProblems(schedule: ScheduleSettings): Problem[] {
  const { problems, times } = readSchedule(schedule)
  if (problems.length > 0) return problems
  const never = times.calendars.find(
    candidate => findNext({ calendars: [candidate], time_zone: 'UTC' }, LONG_AGO) === undefined,
  )
  if (never) return [{ pointer: pointerOf(schedule), message: `${never.comment ?? 'a calendar'} never matches a time` }]
  if (findNext(times, LONG_AGO) !== undefined) return []
  return [{ pointer: pointerOf(schedule), message: 'never matches a time between start_at and end_at' }]
}

const pointerOf = ({ cron, calendars }: ScheduleSettings): string =>
  cron === undefined ? (calendars === undefined ? '' : '/calendars') : '/cron'

/** Returns the times of a saved schedule. */
export const readScheduleTimes = (schedule: ScheduleSettings): ScheduleTimes => readSchedule(schedule).times

interface ScheduleReading {
  times: ScheduleTimes
  problems: Problem[]
}

function readSchedule(schedule: ScheduleSettings): ScheduleReading {
  const { cron, interval, calendars, time_zone, jitter, start_at, end_at, catch_up } = schedule
  const problems: Problem[] = []
  const report = (pointer: string, message: string) => void problems.push({ pointer, message })
  const parsed: Calendar[] = []
  const lines = cron === undefined ? [] : [cron].flat()
  lines.forEach((line, i) => {
    const at = Array.isArray(cron) ? `/cron/${i}` : '/cron'
    parsed.push(...parseCron(line, message => report(at, message)))
  })
  calendars?.forEach((text, i) => {
    const read = parseCalendar(text, (name, message) => report(`/calendars/${i}/${name}`, message))
    if (read) parsed.push(read)
  })
  if (lines.length === 0 && !interval && !calendars)
    report('', 'must have at least one of cron, interval and calendars')
  if (!isTimeZone(time_zone)) report('/time_zone', `there is no time zone "${time_zone}"`)
  const every = readDuration('/interval/every', interval?.every)
  const offset = readDuration('/interval/offset', interval?.offset) ?? 0
  readDuration('/jitter', jitter)
  readDuration('/catch_up', catch_up)
  if (every !== undefined && every < MIN_INTERVAL_MS) report('/interval/every', 'must be at least PT1S')
  if (every !== undefined && offset >= every) report('/interval/offset', 'must be shorter than interval.every')
  if (start_at !== undefined && end_at !== undefined && Date.parse(end_at) <= Date.parse(start_at))
    report('/end_at', 'must be after start_at')
  const times: ScheduleTimes = {
    calendars: parsed,
    ...(every !== undefined && { interval: { every, offset } }),
    time_zone,
    ...(start_at !== undefined && { start_at: Date.parse(start_at) }),
    ...(end_at !== undefined && { end_at: Date.parse(end_at) }),
  }
  return { times, problems }

  function readDuration(pointer: string, text: string | undefined): number | undefined {
    if (text === undefined) return undefined
    const ms = parseDurationMs(text)
    if (ms === undefined || ms % 1_000 !== 0) report(pointer, 'must be a duration in whole seconds')
    return ms
  }
}
