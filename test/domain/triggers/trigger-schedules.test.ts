import { parseCron } from '../../../domain/triggers/schedule/calendar.ts'
import { listTimes } from '../../../domain/triggers/schedule/times.ts'
import { triggers } from '../../../domain/resources/kinds/triggers.ts'
import { PARSE_OPTIONS, zodProblems } from '../../../domain/shared/zod-problems.ts'

const target = { type: 'pathway', ref: 'x' }

/** Returns the pointers and messages of a schedule's problems. */
function listProblems(schedule: object): string[] {
  const read = triggers.document.safeParse({ trigger_type: 'schedule', target, schedule }, PARSE_OPTIONS)
  const problems = read.success ? (triggers.problems?.(read.data) ?? []) : zodProblems(read.error)
  return problems.map(({ pointer, message }) => `${pointer} ${message}`)
}

const timesOf = (cron: string, time_zone: string, from: string, count: number): string[] => {
  const fail = (message: string) => expect(message).toBe('')
  const times = listTimes({ calendars: parseCron(cron, fail), time_zone }, Date.parse(from), count)
  return times.map(time => new Date(time).toISOString().slice(0, 16))
}

test('names, steps, ranges and aliases have the same meaning as in cron', () => {
  expect(timesOf('0 9-17/4 * * MON-FRI', 'UTC', '2027-01-01T10:00:00Z', 3)).toEqual([
    '2027-01-01T13:00',
    '2027-01-01T17:00',
    '2027-01-04T09:00',
  ])
  expect(timesOf('@daily', 'Asia/Tokyo', '2027-01-01T00:00:00Z', 1)).toEqual(['2027-01-01T15:00'])
  expect(timesOf('30 8 1,15 JAN,jul 7', 'UTC', '2027-01-01T09:00:00Z', 3)).toEqual([
    '2027-01-03T08:30',
    '2027-01-10T08:30',
    '2027-01-15T08:30',
  ])
})

test('a day of the month and a day of the week are alternatives, as they are in cron', () => {
  expect(timesOf('0 0 13 * FRI', 'UTC', '2027-08-01T00:00:00Z', 3)).toEqual([
    '2027-08-06T00:00',
    '2027-08-13T00:00',
    '2027-08-20T00:00',
  ])
})

test('a day must match both fields if one starts with a star', () => {
  expect(timesOf('0 9 */2 * MON', 'UTC', '2027-02-01T10:00:00Z', 2)).toEqual(['2027-02-15T09:00', '2027-03-01T09:00'])
})

test('a skipped hour yields no times, and a repeated hour yields the same times as in Temporal', () => {
  expect(timesOf('30 2 * * *', 'Europe/Berlin', '2027-03-27T00:00:00Z', 2)).toEqual([
    '2027-03-27T01:30',
    '2027-03-29T00:30',
  ])
  // East of Greenwich, Temporal uses only the second occurrence.
  expect(timesOf('30 2 * * *', 'Europe/Berlin', '2027-10-30T12:00:00Z', 2)).toEqual([
    '2027-10-31T01:30',
    '2027-11-01T01:30',
  ])
  expect(timesOf('30 1 * * *', 'America/New_York', '2027-11-06T12:00:00Z', 3)).toEqual([
    '2027-11-07T05:30',
    '2027-11-07T06:30',
    '2027-11-08T06:30',
  ])
})

test('problems in a schedule are reported with their location', () => {
  expect(listProblems({ cron: '0 0 31 FEB *' })).toEqual(['/schedule/cron 0 0 31 FEB * never matches a time'])
  expect(listProblems({ cron: ['@daily', '0 25 * * *'] })).toEqual([
    '/schedule/cron/1 hour must contain only numbers from 0 to 23, not "25"',
  ])
  expect(listProblems({ cron: '* * *' })[0]).toContain('/schedule/cron must have five fields')
  expect(listProblems({ cron: '@often' })[0]).toContain('/schedule/cron must be one of @yearly')
  expect(listProblems({ cron: '0 0 L * *' })[0]).toContain('not "L"')
  expect(listProblems({ cron: '*/0 * * * *' })).toEqual(['/schedule/cron minute has a step of 0'])
  expect(listProblems({ cron: '*/90 * * * *' })[0]).toContain('minute has a step of 90, which must be at most 59')
  expect(listProblems({ cron: '0 9 10-20/15 * *' })[0]).toContain('day of month has a step of 15')
  expect(listProblems({ cron: '0-30/30 */23 * * *' })).toEqual([])
  expect(listProblems({ cron: '@daily', time_zone: 'Mars/Olympus' })).toEqual([
    '/schedule/time_zone there is no time zone "Mars/Olympus"',
  ])
  expect(listProblems({})[0]).toContain('/schedule must have at least one of cron, interval and calendars')
  expect(listProblems({ interval: { every: 'PT0.2S' } })[0]).toContain('/schedule/interval/every')
  expect(listProblems({ interval: { every: 'PT1M', offset: 'PT1M' } })[0]).toContain('/schedule/interval/offset')
  const period = { start_at: '2027-01-02T00:00:00Z', end_at: '2027-01-02T00:30:00Z' }
  expect(listProblems({ cron: '0 12 * * *', ...period })[0]).toContain('between start_at and end_at')
  expect(listProblems({ calendars: [{ day_of_month: 31, month: 'APR' }] })[0]).toContain('/schedule/calendars')
  expect(listProblems({ calendars: [{ hour: 'x' }] })[0]).toContain('/schedule/calendars/0/hour')
  expect(listProblems({ cron: '0 8 * * *', overlap: 'allow', jitter: 'PT30S' })).toEqual([])
})
