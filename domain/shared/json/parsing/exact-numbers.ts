/** Matches all numbers that may change when they are parsed, and few other texts. */
const LONG_NUMBER = /(?:^|[\s,:[])-?(?:\d{16}|\d[\d.]*[eE][-+]?\d{3})/

/** Whether a JSON text may have a number that changes when it is parsed. Takes far less time than to parse the text. */
export const mayHaveInexactNumbers = (text: string): boolean => LONG_NUMBER.test(text)

/**
 * Whether a number is what its text in JSON says. False for integers beyond 2^53, of which a double does not hold all digits,
 * and for numbers outside of the range of a double. A double holds the first 15 digits of other numbers.
 */
export function isExactNumber(value: number, source: string): boolean {
  if (value === 0) return !/^[^eE]*[1-9]/.test(source)
  if (/[eE]/.test(source)) return Number.isFinite(value)
  return Number.isSafeInteger(Math.trunc(value))
}

const BOUNDS = new Set(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'])
const NUMERIC = new Set<unknown>(['integer', 'number'])

/**
 * Whether a number is a bound in a JSON Schema. OpenAPI documents have the bounds of 64-bit integers. Values are compared with
 * the nearest double, so the bound keeps its meaning.
 */
export function isSchemaBound(schema: unknown, key: string, value: number): boolean {
  if (!BOUNDS.has(key) || !Number.isFinite(value)) return false
  const { type } = schema as { type?: unknown }
  return [type].flat().some(name => NUMERIC.has(name))
}

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g

/** Writes the numbers of a JSON text that would change when they are parsed as strings. */
export function quoteInexactNumbers(json: string): string {
  if (!mayHaveInexactNumbers(json)) return json
  return json.replaceAll(TOKEN, token =>
    token.startsWith('"') || isExactNumber(Number(token), token) ? token : `"${token}"`,
  )
}
