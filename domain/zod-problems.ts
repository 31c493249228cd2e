import type { z } from 'zod'
import type { Problem } from './json.ts'
import { escapePointer } from './json-pointer.ts'

const LONGEST = 300

/** A JSON pointer (RFC 6901). What a caller sent may make it absurdly long: it is cut. */
export function pointerOf(path: readonly PropertyKey[]): string {
  const pointer = path.map(key => `/${escapePointer(String(key).toWellFormed())}`).join('')
  return pointer.length > LONGEST ? `${pointer.slice(0, LONGEST)}…` : pointer
}

/** What a schema found wrong, with unknown fields named one by one. Parse with `reportInput: true`. */
export function zodProblems(error: z.core.$ZodError, field = 'field'): Problem[] {
  return error.issues.flatMap(issue => problemsOf(issue, field))
}

function problemsOf(issue: z.core.$ZodIssue, field: string): Problem[] {
  const at = pointerOf(issue.path)
  if (issue.code !== 'unrecognized_keys') return [{ pointer: at, message: plain(issue) }]
  return issue.keys.map(key => ({ pointer: at + pointerOf([key]), message: `is not a known ${field}` }))
}

const plain = (issue: z.core.$ZodIssue): string =>
  issue.code === 'invalid_type' && issue.input === undefined ? 'is required' : decapitalised(issue.message)

const decapitalised = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)
