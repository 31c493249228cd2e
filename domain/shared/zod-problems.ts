import type { z } from 'zod'
import type { Problem } from './json/json.ts'
import { escapePointer } from './json/json-pointer.ts'
import { describeBound, describeOptions, TYPES } from './problem-messages.ts'

const MAX_MESSAGE_CHARS = 300

/** Builds a JSON pointer (RFC 6901), truncated to a maximum length. */
export function toPointer(path: readonly PropertyKey[]): string {
  const pointer = path.map(key => `/${escapePointer(String(key).toWellFormed())}`).join('')
  return pointer.length > MAX_MESSAGE_CHARS ? `${pointer.slice(0, MAX_MESSAGE_CHARS)}…` : pointer
}

/** Parse options to use when the problems are sent to the caller. */
export const PARSE_OPTIONS: z.core.ParseContext<z.core.$ZodIssue> = { reportInput: true, error: describeIssue }

/** Lists the problems of a failed parse, with one entry per unknown field. The parse must use `PARSE_OPTIONS`. */
export function zodProblems(error: Pick<z.core.$ZodError, 'issues'>, field = 'field'): Problem[] {
  return error.issues.flatMap(issue => listIssueProblems(issue, field))
}

function listIssueProblems(issue: z.core.$ZodIssue, field: string): Problem[] {
  const at = toPointer(issue.path)
  if (issue.code !== 'unrecognized_keys') return [{ pointer: at, message: issue.message }]
  return issue.keys.map(key => ({ pointer: at + toPointer([key]), message: `is not a known ${field}` }))
}

/** Describes the requirement that a value violates. A message in the schema has priority. */
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
      return describeBound(issue, issue.minimum, issue.inclusive === false ? 'be greater than' : 'be at least')
    case 'too_big':
      return describeBound(issue, issue.maximum, issue.inclusive === false ? 'be less than' : 'be at most')
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    case 'invalid_union':
      return describeUnion(issue)
    case 'invalid_key':
      return `must have another name: a name ${issue.issues?.[0]?.message ?? 'must be valid'}`
    case 'unrecognized_keys':
      return 'must not have unknown fields'
    default:
      return 'must be valid'
  }
}

const MISSING = new Set<string>(['invalid_type', 'invalid_value', 'invalid_union'])

const FORMATS: Record<string, string> = {
  uuid: 'be a UUID',
  datetime: 'be an ISO 8601 time such as 2026-01-31T12:00:00Z',
  date: 'be a date such as 2026-01-31',
  url: 'be a URL',
  base64: 'be in base64',
}

/** Joins the options' messages about the value itself. Excludes problems in parts of the value. */
function describeUnion({ options, errors }: { options?: readonly unknown[]; errors?: z.core.$ZodIssue[][] }): string {
  if (options && options.length > 0) return describeOptions(options)
  const messages = (errors ?? []).flatMap(([first]) => (first?.path.length === 0 ? [first.message] : []))
  const alike = new Set(messages.flatMap(message => (message.startsWith('must be ') ? [message.slice(8)] : [])))
  return alike.size > 0 && messages.length === errors?.length
    ? `must be ${[...alike].join(' or ')}`
    : 'must have one of the allowed forms'
}
