import addFormats, { type FormatName } from 'ajv-formats'
import type { Format } from 'ajv'
import { parseDurationMs } from '../durations.ts'
import { isUuid } from '../uuid.ts'

/** Longer text never matches a checked format. */
export const MAX_FORMAT_CHARS = 8_192

type Check = (text: string) => boolean

/** Library formats with a linear check. The library's `url` is quadratic. */
const FAST = [
  'iso-time',
  'iso-date-time',
  'duration',
  'uri',
  'uri-reference',
  'uri-template',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'regex',
  'uuid',
  'json-pointer',
  'json-pointer-uri-fragment',
  'relative-json-pointer',
] as const satisfies FormatName[]
/** Formats for which the library's fast check accepts nonexistent dates, such as February 30. */
const FULL = ['date', 'time', 'date-time'] as const satisfies FormatName[]
/** Number formats, and formats of unchecked text. */
const UNLIMITED = ['int32', 'int64', 'float', 'double', 'password', 'binary'] as const satisfies FormatName[]

/** All formats that a schema can use, with their checks. */
export const FORMATS: ReadonlyMap<string, Format> = new Map<string, Format>([
  ...FULL.map(name => [name, limitLength(compileFormat(addFormats.default.get(name, 'full')))] as const),
  ...FAST.map(name => [name, limitLength(compileFormat(addFormats.default.get(name, 'fast')))] as const),
  ...UNLIMITED.map(name => [name, addFormats.default.get(name)] as const),
  ['byte', isBase64],
  ['file', isUuid],
  ['url', limitLength(isWebAddress)],
  ['iso-duration', limitLength(text => parseDurationMs(text) !== undefined)],
])

function compileFormat(format: Format): Check {
  if (typeof format === 'function') return format
  const test = format instanceof RegExp ? format : (format as { validate: RegExp | Check }).validate
  return typeof test === 'function' ? test : text => test.test(text)
}

function limitLength(check: Check): Check {
  return text => text.length <= MAX_FORMAT_CHARS && check(text)
}

/** Base64 content may be long, so its length is not limited. Line breaks are ignored. */
function isBase64(text: string): boolean {
  const characters = text.replaceAll(/[\r\n]/g, '')
  const end = characters.endsWith('==') ? -2 : characters.endsWith('=') ? -1 : characters.length
  return characters.length % 4 === 0 && !/[^A-Za-z0-9+/]/.test(characters.slice(0, end))
}

const WEB_PROTOCOLS = new Set(['http:', 'https:', 'ftp:'])

function isWebAddress(text: string): boolean {
  return !/\s/.test(text) && text.includes('://') && WEB_PROTOCOLS.has(URL.parse(text)?.protocol ?? '')
}
