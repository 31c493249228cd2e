import { parseExternalJson } from '../../shared/json/parsing/parse-external-json.ts'
import { MAX_DEPTH, measureExtent } from '../../shared/json/json-size.ts'
import { hasRealDate } from '../../shared/durations.ts'
import { MAX_DURATION_TEXT, parseDuration } from './duration-text.ts'
import type { Meter } from './meter.ts'
import { countCharacters, findFirst, findLast, splitAt, toUnit } from './text-search.ts'

/**
 * Evaluates one call. `args` starts with the receiver, if there is one. `callLibrary` evaluates the library's
 * function, which also rejects arguments of unsupported types.
 */
export type Call = (args: unknown[], meter: Meter, callLibrary: () => unknown) => unknown

/** Cost of converting to a named time zone. */
const TIME_ZONE = 400

/** Characters per unit for functions that visit each character, on top of the operand charge. */
const CHARS_PER_UNIT = 16
const TIMESTAMP = 10
/** Maximum number of characters in a timestamp. */
const MAX_TIMESTAMP = 30

/** Functions that cost more than the size of their arguments, or take more than linear time in the library. */
export const CALLS: ReadonlyMap<string, Call> = new Map<string, Call>([
  ['duration', readDuration],
  ['timestamp', chargeTimestamp],
  ['size', measureSize],
  ['contains', searchBy((text, part) => findFirst(text, part) >= 0)],
  ['indexOf', searchBy((text, part, from) => toIndex(text, findFirst(text, part, from)))],
  ['lastIndexOf', searchBy((text, part, until) => toIndex(text, findLast(text, part, until)))],
  ['substring', cutText],
  ['split', split],
  ['join', join],
  ['lowerAscii', chargeText],
  ['upperAscii', chargeText],
  ['hex', chargeBytes],
  ['base64', chargeBytes],
  ['json', parseJson],
])

/** Charges date functions, such as `getHours`, for a time zone name in their arguments. */
export function chargeTimeZone(args: unknown[], meter: Meter, callLibrary: () => unknown): unknown {
  if (args.length > 1) meter.spend(TIME_ZONE)
  return callLibrary()
}

/** Rejects nonexistent dates, such as February 30, which the library accepts. */
function chargeTimestamp([value]: unknown[], meter: Meter, callLibrary: () => unknown): unknown {
  meter.spend(TIMESTAMP)
  if (typeof value === 'string' && value.length <= MAX_TIMESTAMP && !hasRealDate(value))
    throw new Error(`timestamp() requires an existing date, not "${value}"`)
  return callLibrary()
}

/** Parses a duration and charges for each character: the text is short, but every character may be a separate part. */
function readDuration([text]: unknown[], meter: Meter, callLibrary: () => unknown): unknown {
  if (typeof text !== 'string') return callLibrary()
  meter.spend(Math.min(text.length, MAX_DURATION_TEXT))
  return parseDuration(text)
}

/** Builds a call that searches a text for a part, optionally from a position. */
function searchBy(search: (text: string, part: string, at?: number) => unknown): Call {
  return ([text, part, at], meter, callLibrary) => {
    if (typeof text !== 'string' || typeof part !== 'string') return callLibrary()
    meter.spend(Math.floor(text.length / CHARS_PER_UNIT))
    if (at === undefined) return search(text, part)
    if (part === '' || typeof at !== 'bigint') return callLibrary()
    const unit = at < 0n || at >= BigInt(text.length) ? text.length : toUnit(text, Number(at))
    if (unit >= text.length) throw new Error(`${at} is not a position in the text`)
    return search(text, part, unit)
  }
}

/** Positions count code points, as `size` does: a surrogate pair counts as one. */
const toIndex = (text: string, unit: number): bigint => BigInt(unit < 0 ? unit : countCharacters(text, unit))

function cutText([text, start, end]: unknown[], meter: Meter, callLibrary: () => unknown): unknown {
  if (typeof text !== 'string' || typeof start !== 'bigint') return callLibrary()
  if (end !== undefined && typeof end !== 'bigint') return callLibrary()
  meter.spend(Math.floor(text.length / CHARS_PER_UNIT))
  const size = BigInt(countCharacters(text))
  const until = end ?? size
  if (start < 0n || until < start || until > size)
    throw new Error(
      `substring() requires positions from 0 to ${size}, not ${start}${end === undefined ? '' : ` to ${end}`}`,
    )
  return text.slice(toUnit(text, Number(start)), toUnit(text, Number(until)))
}

/** Splits a text. Each part costs one unit. A limit of 0 returns no parts; a negative limit returns all parts. */
function split([text, separator, limit]: unknown[], meter: Meter, callLibrary: () => unknown): unknown {
  if (typeof text !== 'string' || typeof separator !== 'string') return callLibrary()
  if (limit !== undefined && typeof limit !== 'bigint') return callLibrary()
  if (limit === 0n) return []
  if (separator === '') {
    meter.spend(text.length)
    return splitCharacters(text, limit === undefined || limit < 0n ? Infinity : Number(limit))
  }
  meter.spend(Math.floor(text.length / CHARS_PER_UNIT))
  const parts: string[] = []
  for (const part of splitAt(text, separator, limit === undefined || limit < 0n ? Infinity : Number(limit))) {
    meter.spend(1)
    parts.push(part)
  }
  return parts
}

function splitCharacters(text: string, max: number): string[] {
  const characters = Array.from(text)
  return characters.length <= max ? characters : [...characters.slice(0, max - 1), characters.slice(max - 1).join('')]
}

/**
 * Joins parts. The separator is repeated for each part, so the result can be large. Its cost is charged before it is
 * built.
 */
function join([parts, separator = '']: unknown[], meter: Meter, callLibrary: () => unknown): unknown {
  if (Array.isArray(parts) && typeof separator === 'string') meter.spend(parts.length * meter.measure(separator))
  return callLibrary()
}

function chargeText([text]: unknown[], meter: Meter, callLibrary: () => unknown): unknown {
  if (typeof text === 'string') meter.spend(Math.floor(text.length / CHARS_PER_UNIT))
  return callLibrary()
}

function chargeBytes([bytes]: unknown[], meter: Meter, callLibrary: () => unknown): unknown {
  if (isBytes(bytes)) meter.spend(bytes.length)
  return callLibrary()
}

/** In workflows, the library's bytes come from another realm, so `instanceof` doesn't work. */
const isBytes = (value: unknown): value is Uint8Array => ArrayBuffer.isView(value)

const JSON_BYTES_PER_UNIT = 4

/** Parses bytes as JSON. The library's function fails in workflows and doesn't limit the depth of values. */
function parseJson([bytes]: unknown[], meter: Meter, callLibrary: () => unknown): unknown {
  if (!isBytes(bytes)) return callLibrary()
  meter.spend(Math.ceil(bytes.length / JSON_BYTES_PER_UNIT))
  const value = parseExternalJson(new TextDecoder().decode(bytes))
  if (measureExtent(value, MAX_DEPTH).depth > MAX_DEPTH)
    throw new Error(`json() requires a value with at most ${MAX_DEPTH} levels`)
  return value
}

function measureSize([value]: unknown[], _meter: Meter, callLibrary: () => unknown): unknown {
  return typeof value === 'string' ? BigInt(countCharacters(value)) : callLibrary()
}
