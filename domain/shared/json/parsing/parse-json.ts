import { ValidationError } from '../../errors.ts'
import { isExactNumber, isSchemaBound, mayHaveInexactNumbers } from './exact-numbers.ts'
import { assertStorable, INEXACT_NUMBER } from './json-shape.ts'
import { findSyntaxError } from './json-syntax.ts'

/**
 * Parses the JSON of a request. Throws ValidationError with the problem and its location, including for numbers that
 * parsing would change.
 */
export const parseJson = (bytes: Uint8Array): unknown => parseJsonText(decode(bytes))

/** Parses the JSON of a request from text. */
export function parseJsonText(text: string): unknown {
  const json = parse(text)
  assertStorable(json)
  return json
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new ValidationError('The body is not valid UTF-8')
  }
}

function parse(text: string): unknown {
  try {
    return parseMarked(text)
  } catch {
    const at = findSyntaxError(text)
    const lines = text.slice(0, at).split('\n')
    const place = `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`
    const problem = at >= text.length ? 'unexpected end of input' : 'unexpected character'
    throw new ValidationError(`The body is not valid JSON: ${problem} at position ${at} (${place})`)
  }
}

/** Parses JSON. Numbers that parsing would change become INEXACT_NUMBER. Throws SyntaxError. */
export const parseMarked = (text: string): unknown =>
  mayHaveInexactNumbers(text) ? JSON.parse(text, markInexactNumber) : JSON.parse(text)

/** A reviver for `JSON.parse`. Node passes the source text of each number. */
function markInexactNumber(this: unknown, key: string, value: unknown, { source = '' }: { source?: string } = {}) {
  if (typeof value !== 'number' || isExactNumber(value, source) || isSchemaBound(this, key, value)) return value
  return INEXACT_NUMBER
}
