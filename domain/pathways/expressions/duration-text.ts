import { Duration } from '@marcbachmann/cel-js/evaluator'

/** Maximum number of characters in a duration. Enough for 100 years written in all units, down to nanoseconds. */
export const MAX_DURATION_TEXT = 64

const NANOSECONDS: Record<string, bigint> = {
  h: 3_600_000_000_000n,
  m: 60_000_000_000n,
  s: 1_000_000_000n,
  ms: 1_000_000n,
  us: 1_000n,
  µs: 1_000n,
  ns: 1n,
}
const PART = /(?<whole>\d*)(?:\.(?<fraction>\d*))?(?<unit>ns|us|µs|ms|s|m|h)/gy
const MAX_FRACTION_DIGITS = 13

/** Parses a CEL duration such as `1h30m` or `-1.5s`. Throws for any other text. */
export function parseDuration(text: string): Duration {
  if (text.length > MAX_DURATION_TEXT) {
    throw new Error(`duration() requires a text of at most ${MAX_DURATION_TEXT} characters, not ${text.length}`)
  }
  const unsigned = /^[+-]/.test(text) ? text.slice(1) : text
  const parts = [...unsigned.matchAll(PART)]
  const length = parts.reduce((sum, [part]) => sum + part.length, 0)
  if (length === 0 || length < unsigned.length) {
    throw new Error(`duration() requires a text such as "1h30m" or "1.5s", not "${text}"`)
  }
  const nanoseconds = parts.reduce((sum, { groups }) => sum + toNanoseconds(groups), 0n)
  const sign = text.startsWith('-') ? -1 : 1
  return new Duration(BigInt(sign) * (nanoseconds / 1_000_000_000n), sign * Number(nanoseconds % 1_000_000_000n))
}

function toNanoseconds({ whole = '', fraction = '', unit = '' }: Record<string, string> = {}): bigint {
  const size = NANOSECONDS[unit] ?? 0n
  const digits = fraction.slice(0, MAX_FRACTION_DIGITS)
  return BigInt(whole) * size + (BigInt(digits) * size) / 10n ** BigInt(digits.length)
}
