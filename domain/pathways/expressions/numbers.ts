import type { Meter } from './meter.ts'
import { ValueError } from './values.ts'

type CelNumber = number | bigint

const MAX_DIGITS = 15

/** Adds the numbers of a list. The sum of no numbers is 0; that of integers is one. */
export function sum([list]: unknown[], meter: Meter): CelNumber {
  const numbers = takeNumbers('sum', list, meter)
  if (numbers.every(number => typeof number === 'bigint')) return requireInt64(numbers.reduce((a, b) => a + b, 0n))
  return numbers.reduce<number>((total, number) => total + Number(number), 0)
}

/** Returns the least or the greatest number of a list. */
export const pick =
  (name: 'min' | 'max') =>
  ([list]: unknown[], meter: Meter): CelNumber => {
    const [first, ...others] = takeNumbers(name, list, meter)
    if (first === undefined) throw new ValueError(`${name}() takes a list with at least one number`)
    return others.reduce((a, b) => ((name === 'min' ? b < a : b > a) ? b : a), first)
  }

/** Rounds to decimal digits, by default to none; a half away from zero. */
export function round([value, digits = 0n]: unknown[]): CelNumber {
  const number = takeNumber('round', value)
  return typeof number === 'bigint' ? number : roundDecimal(number, takeDigits('round', digits))
}

/** Writes a number with exactly so many decimal digits, such as `12.50`. */
export function fixed([value, digits]: unknown[]): string {
  const number = takeNumber('fixed', value)
  const count = takeDigits('fixed', digits)
  if (typeof number === 'bigint') return count === 0 ? String(number) : `${number}.${'0'.repeat(count)}`
  const text = roundDecimal(number, count).toFixed(count)
  if (text.includes('e')) throw new ValueError('fixed() takes a number below 1e21')
  return text
}

/** Rounds the shortest decimal text of a number, so that 1.005 becomes 1.01. */
function roundDecimal(number: number, digits: number): number {
  if (!Number.isFinite(number)) throw new ValueError(`${number} is not a JSON number`)
  const shifted = Math.round(shift(Math.abs(number), digits))
  // Numbers of this size have no decimal digits left.
  if (!Number.isSafeInteger(shifted)) return number
  return Math.sign(number) * shift(shifted, -digits) || 0
}

function shift(number: number, by: number): number {
  const [mantissa, exponent = '0'] = String(number).split('e')
  return Number(`${mantissa}e${Number(exponent) + by}`)
}

function takeNumbers(name: string, list: unknown, meter: Meter): CelNumber[] {
  if (!Array.isArray(list)) throw new ValueError(`${name}() takes a list of numbers`)
  meter.spend(list.length)
  const index = list.findIndex(item => !isNumber(item))
  if (index >= 0) throw new ValueError(`${name}() takes a list of numbers; the item at ${index} is none`)
  return list as CelNumber[]
}

function takeNumber(name: string, value: unknown): CelNumber {
  if (isNumber(value)) return value
  throw new ValueError(`${name}() takes a number`)
}

function takeDigits(name: string, digits: unknown): number {
  const count = isNumber(digits) ? Number(digits) : -1
  if (Number.isInteger(count) && count >= 0 && count <= MAX_DIGITS) return count
  throw new ValueError(`${name}() takes 0 to ${MAX_DIGITS} decimal digits`)
}

const isNumber = (value: unknown): value is CelNumber => typeof value === 'number' || typeof value === 'bigint'

function requireInt64(value: bigint): bigint {
  if (BigInt.asIntN(64, value) === value) return value
  throw new ValueError('the sum is too large for an integer')
}
