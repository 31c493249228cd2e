import { ValidationError } from '../errors.ts'
import { assertStorable } from './json-shape.ts'
import { findSyntaxError } from './json-syntax.ts'

/** Parses a JSON body. Throws ValidationError with the problem and its place. */
export function parseJson(bytes: Uint8Array): unknown {
  const json = parse(decode(bytes))
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
    return JSON.parse(text)
  } catch {
    const at = findSyntaxError(text)
    const lines = text.slice(0, at).split('\n')
    const place = `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`
    const what = at >= text.length ? 'unexpected end of input' : 'unexpected character'
    throw new ValidationError(`The body is not valid JSON: ${what} at position ${at} (${place})`)
  }
}
