import type { z } from 'zod'
import type { Problem } from './json.ts'
import { escapePointer } from './json-pointer.ts'

const MAX_MESSAGE_CHARS = 300

/** A JSON pointer (RFC 6901). What a caller sent may make it absurdly long: it is cut. */
export function toPointer(path: readonly PropertyKey[]): string {
  const pointer = path.map(key => `/${escapePointer(String(key).toWellFormed())}`).join('')
  return pointer.length > MAX_MESSAGE_CHARS ? `${pointer.slice(0, MAX_MESSAGE_CHARS)}…` : pointer
}

/** Options of a parse whose problems a caller reads. */
export const PARSE_OPTIONS: z.core.ParseContext<z.core.$ZodIssue> = { reportInput: true, error: describeIssue }

/** Lists what a schema refused, with unknown fields named one by one. Parse with `REPORTED`. */
export function zodProblems(error: z.core.$ZodError, field = 'field'): Problem[] {
  return error.issues.flatMap(issue => toProblems(issue, field))
}

function toProblems(issue: z.core.$ZodIssue, field: string): Problem[] {
  const at = toPointer(issue.path)
  if (issue.code !== 'unrecognized_keys') return [{ pointer: at, message: issue.message }]
  return issue.keys.map(key => ({ pointer: at + toPointer([key]), message: `is not a known ${field}` }))
}

/** Says what a value must be. A message that the schema itself gives has priority. */
function describeIssue(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined && MISSING.has(issue.code)) return 'is required'
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${TYPES[issue.expected] ?? issue.expected}`
    case 'invalid_value':
      return describeOptions(issue.values)
    case 'invalid_format':
      return `must ${FORMATS[issue.format] ?? `match the pattern ${issue.pattern}`}`
    case 'too_small':
      return `must ${describeBound(issue, issue.minimum, issue.inclusive === false ? 'be greater than' : 'be at least')}`
    case 'too_big':
      return `must ${describeBound(issue, issue.maximum, issue.inclusive === false ? 'be less than' : 'be at most')}`
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    case 'invalid_union':
      return describeUnion(issue)
    case 'invalid_key':
      return `is not a valid key: it ${issue.issues?.[0]?.message ?? 'is not allowed'}`
    default:
      return 'is not valid'
  }
}

const MISSING = new Set<string>(['invalid_type', 'invalid_value', 'invalid_union'])

const TYPES: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  null: 'null',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

const FORMATS: Record<string, string> = {
  uuid: 'be a UUID',
  datetime: 'be an ISO 8601 time such as 2026-01-31T12:00:00Z',
  date: 'be a date such as 2026-01-31',
  url: 'be a URL',
  base64: 'be in base64',
}

const PARTS: Record<string, string> = { string: 'character', array: 'entry' }
const PLURALS: Record<string, string> = { string: 'characters', array: 'entries' }

function describeBound({ origin, exact }: { origin: string; exact?: boolean }, bound: number | bigint, words: string) {
  const part = Number(bound) === 1 ? PARTS[origin] : PLURALS[origin]
  if (!part) return `${words} ${bound}`
  return `have ${exact ? 'exactly' : words.replace('be ', '')} ${bound} ${part}`
}

const describeOptions = (values: readonly unknown[]): string =>
  `must be ${values.length > 1 ? 'one of ' : ''}${values.join(', ')}`

/** Joins what the options ask of the value itself; what they ask of its parts is not told apart. */
function describeUnion({ options, errors }: { options?: readonly unknown[]; errors?: z.core.$ZodIssue[][] }): string {
  if (options && options.length > 0) return describeOptions(options)
  const wanted = (errors ?? []).flatMap(([first]) => (first?.path.length === 0 ? [first.message] : []))
  const alike = new Set(wanted.flatMap(message => (message.startsWith('must be ') ? [message.slice(8)] : [])))
  return alike.size > 0 && wanted.length === errors?.length
    ? `must be ${[...alike].join(' or ')}`
    : 'has none of the allowed forms'
}
