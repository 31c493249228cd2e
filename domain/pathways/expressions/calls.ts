import { parseExternalJson } from '../../shared/json/parsing/parse-external-json.ts'
import { MAX_DEPTH, measureExtent } from '../../shared/json/json-size.ts'
import { hasRealDate } from '../../shared/durations.ts'
import { MAX_DURATION_TEXT, parseDuration } from './duration-text.ts'
import type { Meter } from './meter.ts'
import { countCharacters, findFirst, findLast, splitAt, toUnit } from './text-search.ts'

/**
 * Evaluates one call. `args` begins with the receiver, if there is one; `callLibrary` evaluates the library's function,
 * which also refuses arguments of other types.
 */
export type Call = (args: unknown[], meter: Meter, callLibrary: () => unknown) => unknown

/** Cost of a conversion to a named time zone. */
const TIME_ZONE = 400

/** Characters per unit of functions that visit each character, beyond the charge of the text as an operand. */
const CHARS_PER_UNIT = 16
const TIMESTAMP = 10
/** Longer text is no timestamp. */
const MAX_TIMESTAMP = 30

/** The functions that cost more than the size of their arguments, or more than linear time in the library. */
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

/** Functions of dates, such as `getHours`, take the name of a time zone as argument. */
export function chargeTimeZone(args: unknown[], meter: Meter, callLibrary: () => unknown): unknown {
  if (args.length > 1) meter.spend(TIME_ZONE)
  return callLibrary()
}

/** The library accepts dates that do not exist, such as 30 February. */
function chargeTimestamp([value]: unknown[], meter: Meter, callLibrary: () => unknown): unknown {
  meter.spend(TIMESTAMP)
  if (typeof value === 'string' && value.length <= MAX_TIMESTAMP && !hasRealDate(value))
    throw new Error(`timestamp() takes a date that exists, not "${value}"`)
  return callLibrary()
}

/** The text has few characters, and each may be a part of its own. */
function readDuration([text]: unknown[], meter: Meter, callLibrary: () => unknown): unknown {
  if (typeof text !== 'string') return callLibrary()
  meter.spend(Math.min(text.length, MAX_DURATION_TEXT))
  return parseDuration(text)
}

/** Searches a text for another from a position on, if one is given. */
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

/** Positions count characters as `size` does: a pair of surrogates is one. */
const toIndex = (text: string, unit: number): bigint => BigInt(unit < 0 ? unit : countCharacters(text, unit))

function cutText([text, start, end]: unknown[], meter: Meter, callLibrary: () => unknown): unknown {
  if (typeof text !== 'string' || typeof start !== 'bigint') return callLibrary()
  if (end !== undefined && typeof end !== 'bigint') return callLibrary()
  meter.spend(Math.floor(text.length / CHARS_PER_UNIT))
  const size = BigInt(countCharacters(text))
  const until = end ?? size
  if (start < 0n || until < start || until > size)
    throw new Error(
      `substring() takes positions from 0 to ${size}, not ${start}${end === undefined ? '' : ` to ${end}`}`,
    )
  return text.slice(toUnit(text, Number(start)), toUnit(text, Number(until)))
}

/** Each part costs a unit. A limit of 0 gives no parts, and a negative one all. */
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

/** The separator is written once for each part, so the text is charged before it is built. */
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

/** In workflows, the bytes of the library are of another realm, so they are no instance of this realm's class. */
const isBytes = (value: unknown): value is Uint8Array => ArrayBuffer.isView(value)

const JSON_BYTES_PER_UNIT = 4

/** Parses bytes as JSON. The library's function fails in workflows, and builds values of any depth. */
function parseJson([bytes]: unknown[], meter: Meter, callLibrary: () => unknown): unknown {
  if (!isBytes(bytes)) return callLibrary()
  meter.spend(Math.ceil(bytes.length / JSON_BYTES_PER_UNIT))
  const value = parseExternalJson(new TextDecoder().decode(bytes))
  if (measureExtent(value, MAX_DEPTH).depth > MAX_DEPTH)
    throw new Error(`json() takes a value of at most ${MAX_DEPTH} levels`)
  return value
}

function measureSize([value]: unknown[], _meter: Meter, callLibrary: () => unknown): unknown {
  return typeof value === 'string' ? BigInt(countCharacters(value)) : callLibrary()
}
