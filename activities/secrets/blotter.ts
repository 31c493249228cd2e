import type { JsonValue } from '../../domain/json.ts'

/** Blots secrets out of what comes back: some endpoints echo what they were sent. */
export interface Blotter {
  text(text: string): string
  json(value: JsonValue): JsonValue
}

const BLOT = '[redacted]'
/** Shorter values say little and would tear holes into ordinary words. */
const MIN_SECRET_CHARS = 4

/** @param values as they were sent; their words count as well, so that `Bearer x` hides x */
export function createBlotter(values: string[]): Blotter {
  const words = values
    .flatMap(value => [value, ...value.split(/[\s;,]+/)])
    .filter(word => word.length >= MIN_SECRET_CHARS)
  const forms = words.flatMap(word => [word, encodeURIComponent(word), inQuotes(word)])
  const hidden = [...new Set(forms)].sort((a, b) => b.length - a.length)
  const inText = (text: string) => hidden.reduce((left, word) => left.replaceAll(word, BLOT), text)
  // Texts inside JSON are written in one way here, whatever way they came in.
  const escaped = hidden.map(inQuotes)
  const inJson = (value: JsonValue) => {
    if (hidden.length === 0) return value
    const text = JSON.stringify(value)
    const left = escaped.reduce((left, word) => left.replaceAll(word, BLOT), text)
    return left === text ? value : (JSON.parse(left) as JsonValue)
  }
  return { text: inText, json: value => (typeof value === 'string' ? inText(value) : inJson(value)) }
}

/** As it stands inside a text of JSON. */
const inQuotes = (word: string): string => JSON.stringify(word).slice(1, -1)
