import * as fc from 'fast-check'
import { addDuration, parseDurationMs, parseMoment } from '../../../domain/shared/durations.ts'

describe('a duration', () => {
  test.each([
    ['PT5M', 300_000],
    ['P2D', 172_800_000],
    ['P1W', 604_800_000],
    ['P1DT2H3M4.5S', 93_784_500],
    ['PT0.001S', 1],
    ['PT0,5S', 500],
    ['P36525D', 3_155_760_000_000],
  ])('%s equals %d ms', (text, ms) => expect(parseDurationMs(text)).toBe(ms))

  test.each([
    '',
    'P',
    'PT',
    'P1DT',
    'PT0S',
    'PT0.0001S',
    '-PT5M',
    'PT-5M',
    'P1Y',
    'P1M',
    'P1Y2D',
    '5M',
    'PT5',
    'PT5m',
    'pt5m',
    'xPT5M',
    'PT5Mx',
    'PT5M5',
    'PT5MS',
    ' PT5M',
    'PT5M\n',
    'PT1M1H',
    'P36526D',
    `P${'9'.repeat(400)}D`,
    'PT1e3S',
    '1',
    'P1D2W',
    '٣',
  ])('"%s" is not valid', text => expect(parseDurationMs(text)).toBeUndefined())

  test('in any accepted form leads to a valid time', () => {
    const number = fc.oneof(
      fc.nat(100_000),
      fc.double({ min: 0, max: 1_000, noNaN: true }).map(value => value.toFixed(3)),
    )
    const text = fc.tuple(number, fc.constantFrom('W', 'D')).map(([n, unit]) => `P${n}${unit}`)
    const time = fc.tuple(number, fc.constantFrom('H', 'M', 'S')).map(([n, unit]) => `PT${n}${unit}`)
    const leads = fc.property(fc.oneof(text, time, fc.string()), duration => {
      if (parseDurationMs(duration) === undefined) return
      expect(addDuration('2024-01-01T00:00:00.000Z', duration) > '2024-01-01T00:00:00.000Z').toBe(true)
    })
    fc.assert(leads, { numRuns: 1_000 })
  })
})

describe('a time', () => {
  test.each([
    ['2024-01-01T00:00:00Z', '2024-01-01T00:00:00.000Z'],
    ['2024-01-01T00:00+02:00', '2023-12-31T22:00:00.000Z'],
    ['2024-01-01', '2024-01-01T00:00:00.000Z'],
    ['2024-01-01T00:00:00.123456Z', '2024-01-01T00:00:00.123Z'],
  ])('%s equals %s', (text, moment) => expect(parseMoment(text)).toBe(moment))

  test.each([
    '2024-01-01T00:00:00',
    '2024-13-01',
    '2027-02-29',
    '2027-02-30T10:00:00Z',
    '2024-04-31T10:00:00+02:00',
    'tomorrow',
    '1',
    '1700000000',
    '',
    'Mon, 01 Jan 2024 00:00:00 GMT',
    '+010000-01-01',
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
  ])('"%s" is not valid', text => expect(parseMoment(text)).toBeUndefined())
})
