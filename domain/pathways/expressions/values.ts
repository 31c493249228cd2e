import type { ASTNode } from '@marcbachmann/cel-js'
import { Duration, UnsignedInt } from '@marcbachmann/cel-js/evaluator'
import { MAX_DEPTH } from '../../shared/json/json-size.ts'
import type { JsonValue } from '../../shared/json/json.ts'
import { toStorableText } from '../../shared/json/storable.ts'
import type { Meter } from './meter.ts'

/** The result of an expression is not a JSON value, or it is too large. */
export class ValueError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ValueError'
  }
}

/** Maximum number of values in one result. A shared part counts at each occurrence, as in JSON text. */
const MAX_PARTS = 200_000
/** Measured cost of copying an object member, in expression steps. */
const MEMBER_UNITS = 8

/**
 * Converts a CEL result to JSON: BigInt to number, timestamps to ISO 8601, durations to CEL text. The text is safe to
 * store. Spends meter units. Throws ValueError or CostExceeded.
 */
export function toJson(value: unknown, meter: Meter): JsonValue {
  let parts = 0
  const countText = (text: string): void => {
    meter.spend(text.length >> 5)
    if (!meter.takeText(text.length)) throw new ValueError('the result is too long')
  }
  const convert = (part: unknown, depth: number): JsonValue => {
    meter.spend(1)
    if (++parts > MAX_PARTS) throw new ValueError('the result has too many parts')
    if (depth > MAX_DEPTH) throw new ValueError('the result is nested too deeply')
    if (typeof part === 'string') {
      countText(part)
      return toStorableText(part)
    }
    if (Array.isArray(part)) return part.map(inner => convert(inner, depth + 1))
    if (!isPlain(part)) return toScalar(part)
    const members: [string, unknown][] = part instanceof Map ? [...part] : Object.entries(part)
    meter.spend(members.length * MEMBER_UNITS)
    for (const [key] of members) countText(key)
    return Object.fromEntries(members.map(([key, inner]) => [toStorableText(key), convert(inner, depth + 1)]))
  }
  return convert(value, 0)
}

/**
 * Throws ValueError for result literals that JSON cannot represent, such as integers beyond 2^53. They would fail in
 * every run.
 */
export function checkLiterals({ op, args }: ASTNode): void {
  if (op === 'value') toScalar(args)
  else if (op === 'list') args.forEach(checkLiterals)
  else if (op === 'map') args.forEach(([, value]) => checkLiterals(value))
  else if (op === '?:') args.slice(1).forEach(checkLiterals)
  else if (op === '-_') checkLiterals(args)
}

function isPlain(value: unknown): value is Record<string, unknown> | Map<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  if (value instanceof Map) return true
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

function toScalar(value: unknown): JsonValue {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value
  if (value === undefined) return null
  if (typeof value === 'bigint') return requireSafeInteger(value)
  if (typeof value === 'number') {
    // JSON has no negative zero.
    if (Number.isFinite(value)) return value === 0 ? 0 : value
    throw new ValueError(`${value} is not a JSON number`)
  }
  if (value instanceof Date) return formatTimestamp(value)
  if (value instanceof Duration) return `${value.valueOf() / 1_000}s`
  if (value instanceof UnsignedInt) return requireSafeInteger(value.valueOf())
  throw new ValueError('the result is not a JSON value')
}

/** Formats a timestamp as ISO 8601, which allows only years with four digits. */
function formatTimestamp(date: Date): string {
  const year = date.getUTCFullYear()
  if (year >= 0 && year <= 9_999) return date.toISOString()
  throw new ValueError('a timestamp must be in the years 0 to 9999')
}

function requireSafeInteger(value: bigint): number {
  const asNumber = Number(value)
  if (Number.isSafeInteger(asNumber)) return asNumber
  throw new ValueError(`${value} is too large for a JSON number`)
}
