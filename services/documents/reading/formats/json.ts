import { escapeText } from '../escape.ts'
import { brokenDocumentError, documentTooLargeError } from '../document-error.ts'
import { BoundedText } from '../text.ts'
import { type TextFormat, type TextInput, decodeSource } from './format.ts'

/** Numbers with this many digits lose precision during parsing. */
const LONG_NUMBER = /\d{16}/
const PLAIN_KEY = /^[\p{L}_$][\p{L}\p{N}_$-]*$/u

/**
 * Converts JSON or JSON Lines to one line per value with the value's path, so that each line can be found separately:
 * `customer.name: Ada`, `items[0].price: 5`. Objects in an array become separate paragraphs.
 */
export const json: TextFormat = reading => {
  const out = new BoundedText(reading.limits.textChars)
  const values = parseValues(decodeSource(reading), reading)
  write(out, '', values.length === 1 ? values[0] : values)
  return { text: out.toString().trim(), title: findTitle(values) }
}

function parseValues(text: string, { limits }: TextInput): unknown[] {
  if (text.trim() === '') throw brokenDocumentError('The document is empty, which is not valid JSON')
  checkNesting(text, limits.nesting)
  try {
    return [parse(text)]
  } catch (error) {
    const lines = text.split('\n').map(line => line.trim())
    if (lines.filter(Boolean).length < 2 || !isJson(lines.find(Boolean)))
      throw brokenDocumentError(notJson(error), error)
    return lines.flatMap((line, at) => (line === '' ? [] : [parseLine(line, at + 1)]))
  }
}

/** Checks the nesting depth before parsing, so that later code can safely process the value recursively. */
function checkNesting(text: string, limit: number): void {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (char === '"') at = findStringEnd(text, at)
    else if (char === ']' || char === '}') depth--
    else if ((char === '[' || char === '{') && ++depth > limit)
      throw documentTooLargeError(`The JSON must be at most ${limit} levels deep`)
  }
}

function findStringEnd(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}

function parse(text: string): unknown {
  if (!LONG_NUMBER.test(text)) return JSON.parse(text)
  return JSON.parse(text, (_key, value: unknown, { source }: { source?: string } = {}) =>
    typeof value === 'number' ? source : value,
  )
}

function parseLine(line: string, number: number): unknown {
  try {
    return parse(line)
  } catch (error) {
    throw brokenDocumentError(`Line ${number} is not valid JSON`, error)
  }
}

function isJson(line = ''): boolean {
  try {
    JSON.parse(line)
    return true
  } catch {
    return false
  }
}

/** Builds a message that contains only the position, because the parser's message quotes the document. */
function notJson(error: unknown): string {
  const place = /line (\d+) column (\d+)/.exec(error instanceof Error ? error.message : '')
  return place
    ? `The JSON is invalid at line ${place[1]}, column ${place[2]}`
    : 'The JSON is invalid: unexpected end of input'
}

function write(out: BoundedText, path: string, value: unknown): void {
  if (Array.isArray(value) && value.length > 0) {
    for (const [at, item] of value.entries()) {
      if (isObject(item)) out.add('\n')
      write(out, `${path}[${at}]`, item)
    }
  } else if (isObject(value)) {
    for (const [key, item] of Object.entries(value)) write(out, join(path, key), item)
  } else {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    out.add(`${escapeText(path === '' ? text : `${path}: ${text}`)}\n`)
  }
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0

function join(path: string, key: string): string {
  if (!PLAIN_KEY.test(key)) return `${path}[${JSON.stringify(key)}]`
  return path === '' ? key : `${path}.${key}`
}

function findTitle(values: unknown[]): string | undefined {
  const title = values.length === 1 ? (values[0] as { title?: unknown } | null)?.title : undefined
  return typeof title === 'string' ? title : undefined
}
