/** Matches every number that parsing may change, and little else. */
const LONG_NUMBER = /(?:^|[\s,:[])-?(?:\d{16}|\d[\d.]*[eE][-+]?\d{3})/

/** Returns whether a JSON text may contain a number that parsing changes. Much faster than parsing the text. */
export const mayHaveInexactNumbers = (text: string): boolean => LONG_NUMBER.test(text)

/**
 * Returns whether a number equals its JSON text. False for integers beyond 2^53, whose digits don't all fit into a
 * double, and for numbers outside the range of a double. For other numbers, a double preserves the first 15 digits.
 */
export function isExactNumber(value: number, source: string): boolean {
  if (value === 0) return !/^[^eE]*[1-9]/.test(source)
  if (/[eE]/.test(source)) return Number.isFinite(value)
  return Number.isSafeInteger(Math.trunc(value))
}

const BOUNDS = new Set(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'])
const NUMERIC = new Set<unknown>(['integer', 'number'])

/**
 * Returns whether a number is a bound in a JSON Schema. OpenAPI documents contain the bounds of 64-bit integers.
 * Values are compared with the nearest double, so the bound keeps its meaning.
 */
export function isSchemaBound(schema: unknown, key: string, value: number): boolean {
  if (!BOUNDS.has(key) || !Number.isFinite(value)) return false
  const { type } = schema as { type?: unknown }
  return [type].flat().some(name => NUMERIC.has(name))
}

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g

/** Quotes the numbers in a JSON text that parsing would change. */
export function quoteInexactNumbers(json: string): string {
  if (!mayHaveInexactNumbers(json)) return json
  return json.replaceAll(TOKEN, token =>
    token.startsWith('"') || isExactNumber(Number(token), token) ? token : `"${token}"`,
  )
}
