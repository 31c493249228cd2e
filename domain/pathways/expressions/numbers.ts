import type { Meter } from './meter.ts'
import { ValueError } from './values.ts'

type CelNumber = number | bigint

const MAX_DIGITS = 15

/** Adds the numbers of a list. The sum of an empty list is 0; integers add up to an integer. */
export function sum([list]: unknown[], meter: Meter): CelNumber {
  const numbers = takeNumbers('sum', list, meter)
  if (numbers.every(number => typeof number === 'bigint')) return requireInt64(numbers.reduce((a, b) => a + b, 0n))
  return numbers.reduce<number>((total, number) => total + Number(number), 0)
}

/** Returns the minimum or maximum of a list. */
export const pick =
  (name: 'min' | 'max') =>
  ([list]: unknown[], meter: Meter): CelNumber => {
    const [first, ...others] = takeNumbers(name, list, meter)
    if (first === undefined) throw new ValueError(`${name}() requires a list with at least one number`)
    return others.reduce((a, b) => ((name === 'min' ? b < a : b > a) ? b : a), first)
  }

/** Rounds half away from zero to `digits` decimal places (default: 0). */
export function round([value, digits = 0n]: unknown[]): CelNumber {
  const number = takeNumber('round', value)
  return typeof number === 'bigint' ? number : roundDecimal(number, takeDigits('round', digits))
}

/** Formats a number with a fixed number of decimal places, such as `12.50`. */
export function fixed([value, digits]: unknown[]): string {
  const number = takeNumber('fixed', value)
  const count = takeDigits('fixed', digits)
  if (typeof number === 'bigint') return count === 0 ? String(number) : `${number}.${'0'.repeat(count)}`
  const text = roundDecimal(number, count).toFixed(count)
  if (text.includes('e')) throw new ValueError('fixed() requires a number below 1e21')
  return text
}

/** Rounds the shortest decimal representation of a number, so that 1.005 becomes 1.01. */
function roundDecimal(number: number, digits: number): number {
  if (!Number.isFinite(number)) throw new ValueError(`${number} is not a JSON number`)
  const shifted = Math.round(shift(Math.abs(number), digits))
  // Numbers of this size have no decimal places left.
  if (!Number.isSafeInteger(shifted)) return number
  return Math.sign(number) * shift(shifted, -digits) || 0
}

function shift(number: number, by: number): number {
  const [mantissa, exponent = '0'] = String(number).split('e')
  return Number(`${mantissa}e${Number(exponent) + by}`)
}

function takeNumbers(name: string, list: unknown, meter: Meter): CelNumber[] {
  if (!Array.isArray(list)) throw new ValueError(`${name}() requires a list of numbers`)
  meter.spend(list.length)
  const index = list.findIndex(item => !isNumber(item))
  if (index >= 0) throw new ValueError(`${name}() requires a list of numbers; the item at ${index} is not a number`)
  return list as CelNumber[]
}

function takeNumber(name: string, value: unknown): CelNumber {
  if (isNumber(value)) return value
  throw new ValueError(`${name}() requires a number`)
}

function takeDigits(name: string, digits: unknown): number {
  const count = isNumber(digits) ? Number(digits) : -1
  if (Number.isInteger(count) && count >= 0 && count <= MAX_DIGITS) return count
  throw new ValueError(`${name}() requires 0 to ${MAX_DIGITS} decimal digits`)
}

const isNumber = (value: unknown): value is CelNumber => typeof value === 'number' || typeof value === 'bigint'

function requireInt64(value: bigint): bigint {
  if (BigInt.asIntN(64, value) === value) return value
  throw new ValueError('the sum is too large for an integer')
}
