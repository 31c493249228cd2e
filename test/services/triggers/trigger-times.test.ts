import { Client, Connection } from '@temporalio/client'
import fc from 'fast-check'
import { readEnvironment } from '../../../config/environment.ts'
import type { Resource } from '../../../data/resources/resources-store.ts'
import type { TriggerDocument } from '../../../domain/resources/kinds/triggers.ts'
import { listTimes } from '../../../domain/triggers/schedule/times.ts'
import { schedule, readScheduleTimes } from '../../../domain/triggers/types/schedule.ts'
import { buildTriggerSchedule } from '../../../services/triggers/schedules/options.ts'

/** The preview of a schedule must contain the times that Temporal computes. */

let connection: Connection
let temporal: Client
let schedules = 0

beforeAll(async () => {
  const env = readEnvironment()
  connection = await Connection.connect({ address: env['TEMPORAL_ADDRESS'] })
  temporal = new Client({ connection, namespace: env['TEMPORAL_NAMESPACE'] })
})
afterAll(() => connection?.close())

/** Lists the next times that Temporal computes, using a schedule that starts nothing. */
async function listTemporalTimes(settings: object): Promise<number[]> {
  const document = { trigger_type: 'schedule', schedule: settings, target: { type: 'pathway', ref: 'x' } }
  const head = { id: `preview-${process.pid}-${schedules++}`, slug: 'x', title: 'X', is_active: true, deleted_at: null }
  const built = buildTriggerSchedule({ taskQueue: 'previews' }, { id: 'none', workspace: 'none' }, {
    ...head,
    document: document as TriggerDocument,
  } as unknown as Resource)
  if (!built) throw new Error('there is no schedule')
  const { typedSearchAttributes: _registeredByWorkers, action, ...options } = built
  const { typedSearchAttributes: _too, ...startsNothing } = action
  const handle = await temporal.schedule.create({ ...options, action: startsNothing, state: { paused: true } })
  try {
    return (await handle.describe()).info.nextActionTimes.map(time => time.getTime())
  } finally {
    await handle.delete()
  }
}

const numbers = (min: number, max: number) => fc.integer({ min, max }).map(String)
const buildRange = (min: number, max: number) =>
  fc.tuple(fc.integer({ min, max }), fc.integer({ min, max })).map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`)
const stepsOf = (max: number) => fc.integer({ min: 1, max }).map(step => `*/${step}`)
const buildField = (min: number, max: number) =>
  fc.oneof(
    fc.constant('*'),
    stepsOf(max),
    buildRange(min, max),
    fc.array(numbers(min, max), { minLength: 1, maxLength: 3 }).map(values => values.join(',')),
  )

const cron = fc
  .tuple(
    fc.oneof(numbers(0, 59), buildField(0, 59)),
    buildField(0, 23),
    fc.oneof(fc.constant('*'), buildField(1, 28)),
    fc.oneof({ weight: 3, arbitrary: fc.constant('*') }, { weight: 1, arbitrary: buildField(1, 12) }),
    fc.oneof(fc.constant('*'), fc.constantFrom('MON-FRI', 'SUN', '7', '1,3,5', 'sat', 'sat,SUN')),
  )
  .map(fields => fields.join(' '))

/** Zones with clock changes of an hour, half an hour or two hours, at midnight, and without clock changes. */
const zone = fc.constantFrom(
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Europe/London',
  'Asia/Jerusalem',
  'Australia/Adelaide',
  'Australia/Lord_Howe',
  'Antarctica/Troll',
  'Pacific/Chatham',
  'Africa/Cairo',
  'America/Santiago',
  'America/Havana',
  'Asia/Kolkata',
)

/** Days with and without clock changes. */
const start = fc.oneof(
  fc.constantFrom(
    '2027-03-14',
    '2027-03-28',
    '2027-04-04',
    '2027-09-04',
    '2027-09-26',
    '2027-10-03',
    '2027-10-31',
    '2027-11-07',
  ),
  fc
    .date({ min: new Date('2027-01-01'), max: new Date('2028-12-31'), noInvalidDate: true })
    .map(date => date.toISOString().slice(0, 10)),
)

test("previews match Temporal's times for any cron expression, zone and start", async () => {
  await fc.assert(
    fc.asyncProperty(cron, zone, start, fc.integer({ min: 0, max: 23 }), async (text, time_zone, day, hour) => {
      const start_at = `${day}T${String(hour).padStart(2, '0')}:00:00Z`
      const settings = schedule.settings.parse({ cron: text, time_zone, start_at })
      const expected = await listTemporalTimes(settings)
      expect(listTimes(readScheduleTimes(settings), Date.now(), expected.length)).toEqual(expected)
    }),
    {
      numRuns: 150,
      // In Santiago, Sunday 2027-09-05 has no midnight. Temporal treats that day as a Saturday until it has found a
      // time on it.
      examples: [
        ['0 1 * 9 sat', 'America/Santiago', '2027-09-03', 0],
        ['0 1 * 9 SUN', 'America/Santiago', '2027-09-03', 0],
        ['0 1,2 * 9 sat', 'America/Santiago', '2027-09-03', 0],
        ['0 1,2 * 9 SUN', 'America/Santiago', '2027-09-05', 4],
        ['0 0-1 * 9 sat', 'America/Santiago', '2027-09-03', 0],
        ['0 0-1 * 9 sat,SUN', 'America/Santiago', '2027-09-03', 0],
      ],
    },
  )
})

test("previews match Temporal's times for intervals, calendars and end times", async () => {
  const settings = [
    { interval: { every: 'PT37M', offset: 'PT11M' } },
    { interval: { every: 'P1D', offset: 'PT5H' }, cron: '0 12 * * *', start_at: '2027-01-01T00:00:01Z' },
    { calendars: [{ hour: '9-17/2', day_of_week: 'MON-WED', second: '*/20', month: 'jan,FEB', year: '2027-2028' }] },
    { cron: ['@weekly', '15 3 29 2 *'], time_zone: 'Europe/Berlin' },
    { cron: '@daily', start_at: '2027-05-01T00:00:00Z', end_at: '2027-05-04T00:00:00Z' },
  ]
  for (const each of settings) {
    const parsed = schedule.settings.parse(each)
    const expected = await listTemporalTimes(parsed)
    expect(
      listTimes(readScheduleTimes(parsed), Date.now(), Math.max(expected.length, 5)).slice(0, expected.length),
    ).toEqual(expected)
  }
})
