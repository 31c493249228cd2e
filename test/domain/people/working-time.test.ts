import fc from 'fast-check'
import {
  addWorkingTime,
  findNextMorning,
  findWorkingTime,
  type WorkingCalendar,
} from '../../../domain/people/working-time.ts'

const OFFICE: WorkingCalendar = {
  time_zone: 'Europe/Berlin',
  hours: Object.fromEntries(['mon', 'tue', 'wed', 'thu', 'fri'].map(day => [day, ['09:00-12:00', '13:00-17:00']])),
  holidays: ['2026-12-25'],
}

const CASES: [what: string, at: string, duration: string, end: string][] = [
  ['within a span', '2026-11-25T08:30:00.000Z', 'PT2H', '2026-11-25T10:30:00.000Z'],
  ['over the break', '2026-11-25T10:00:00.000Z', 'PT2H', '2026-11-25T13:00:00.000Z'],
  ['starting at night', '2026-11-25T01:00:00.000Z', 'PT1H', '2026-11-25T09:00:00.000Z'],
  ['overnight', '2026-11-25T15:30:00.000Z', 'PT1H', '2026-11-26T08:30:00.000Z'],
  ['a working day and an hour', '2026-11-25T08:00:00.000Z', 'PT8H', '2026-11-26T09:00:00.000Z'],
  ['over a weekend', '2026-11-27T15:30:00.000Z', 'PT1H', '2026-11-30T08:30:00.000Z'],
  ['over a holiday and a weekend', '2026-12-24T15:30:00.000Z', 'PT1H', '2026-12-28T08:30:00.000Z'],
  ['a day is the next working day', '2026-11-27T10:15:00.000Z', 'P1D', '2026-11-30T10:15:00.000Z'],
  ['days and hours', '2026-11-27T15:30:00.000Z', 'P1DT1H', '2026-12-01T08:30:00.000Z'],
  ['into daylight saving time', '2026-03-27T15:30:00.000Z', 'PT1H', '2026-03-30T07:30:00.000Z'],
  ['days into daylight saving time keep the local time', '2026-03-27T15:30:00.000Z', 'P1D', '2026-03-30T14:30:00.000Z'],
]

test.each(CASES)('working time %s', (_, at, duration, end) => {
  expect(addWorkingTime(OFFICE, at, duration)).toBe(end)
})

test.each([
  ['in a span', '2026-11-25T09:10:00.000Z', '2026-11-25T09:10:00.000Z'],
  ['in a break', '2026-11-25T11:30:00.000Z', '2026-11-25T12:00:00.000Z'],
  ['on Friday evening', '2026-11-27T17:00:00.000Z', '2026-11-30T08:00:00.000Z'],
  ['before a holiday', '2026-12-24T16:00:00.000Z', '2026-12-28T08:00:00.000Z'],
])('the next working time %s', (_, at, next) => {
  expect(findWorkingTime(OFFICE, at)).toBe(next)
})

test.each([
  ['before work', '2026-11-25T07:59:00.000Z', '2026-11-25T08:00:00.000Z'],
  ['at the start of work', '2026-11-25T08:00:00.000Z', '2026-11-26T08:00:00.000Z'],
  ['in a break', '2026-11-25T11:30:00.000Z', '2026-11-26T08:00:00.000Z'],
  ['on Friday', '2026-11-27T09:00:00.000Z', '2026-11-30T08:00:00.000Z'],
  ['into daylight saving time', '2026-03-27T12:00:00.000Z', '2026-03-30T07:00:00.000Z'],
])('the next morning %s', (_, after, next) => {
  expect(findNextMorning(OFFICE, after)).toBe(next)
})

test('a calendar without working hours has no working time and no morning', () => {
  const never = { ...OFFICE, hours: {} }
  expect(findWorkingTime(never, '2026-11-25T08:00:00.000Z')).toBeUndefined()
  expect(findNextMorning(never, '2026-11-25T08:00:00.000Z')).toBeUndefined()
})

test('weeks, and a calendar without working hours, have no working time', () => {
  expect(addWorkingTime(OFFICE, '2026-11-25T08:00:00.000Z', 'P1W')).toBeUndefined()
  expect(addWorkingTime({ ...OFFICE, hours: {} }, '2026-11-25T08:00:00.000Z', 'PT1H')).toBeUndefined()
  expect(addWorkingTime({ ...OFFICE, hours: {} }, '2026-11-25T08:00:00.000Z', 'P1D')).toBeUndefined()
})

test('working times add up, and a longer working time ends later', () => {
  const minutes = fc.integer({ min: 1, max: 3_000 })
  const moment = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2027, 0, 1) })
  fc.assert(
    fc.property(moment, minutes, minutes, (from, a, b) => {
      const add = (at: string, count: number) => addWorkingTime(OFFICE, at, `PT${count}M`) ?? ''
      const at = new Date(from).toISOString()
      expect(add(add(at, a), b)).toBe(add(at, a + b))
      expect(add(at, a) > at).toBe(true)
    }),
    { numRuns: 200 },
  )
})
