import { textTooLongError } from './document-error.ts'

/** Number of characters to clean at a time. Cleaning a large text at once requires many times its size in memory. */
const SLICE_CHARS = 65_536

/**
 * Unicode's Stream-Safe Text Format (UAX #15) limits a base letter to 30 marks, because sorting the marks takes
 * quadratic time.
 */
const LONG_MARKS = /[^\P{M}\u034f]{30}(?=[^\P{M}\u034f])/gu
/** Does not affect rendering. Marks are not sorted across this character. */
const GRAPHEME_JOINER = '\u034f'

/**
 * Cleans text. The result is well-formed NFC with line feeds as line endings. It has no control characters except
 * tabs and line feeds, no soft hyphens and no BOMs.
 */
export function cleanText(raw: string): string {
  const slices: string[] = []
  for (let start = 0; start < raw.length;) {
    const lineEnd = raw.indexOf('\n', start + SLICE_CHARS)
    const end = lineEnd < 0 ? raw.length : lineEnd + 1
    slices.push(cleanSlice(raw.slice(start, end)))
    start = end
  }
  return slices.join('')
}

function cleanSlice(raw: string): string {
  return raw
    .toWellFormed()
    .replaceAll(/\r\n?|[\f\v\u0085\u2028\u2029]/g, '\n')
    .replaceAll(/[^\P{Cc}\n\t]|[\u00ad\ufeff]/gu, '')
    .replaceAll(LONG_MARKS, marks => marks + GRAPHEME_JOINER)
    .normalize('NFC')
}

/** Returns one line of clean, truncated text, or null if the line is empty. */
export function cleanLine(raw: string, maxChars: number): string | null {
  const line = cleanText(raw.slice(0, maxChars * 4))
    .replaceAll(/\s+/g, ' ')
    .trim()
  return line.slice(0, maxChars).toWellFormed() || null
}

/** Collects text up to a limit. Throws DOCUMENT_TOO_LARGE if the limit is exceeded. */
export class BoundedText {
  readonly maxChars: number
  readonly #parts: string[] = []
  #length = 0

  constructor(maxChars: number) {
    this.maxChars = maxChars
  }

  get length(): number {
    return this.#length
  }

  add(part: string): void {
    this.#length += part.length
    if (this.#length > this.maxChars) throw textTooLongError(this.maxChars)
    this.#parts.push(part)
  }

  toString(): string {
    return this.#parts.join('')
  }
}
