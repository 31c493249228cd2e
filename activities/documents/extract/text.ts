import { tooMuchText } from './document-error.ts'

/** Cleaned at a time; a large text at once would take many times its size. */
const SLICE_CHARS = 65_536

/** Line ends as \n; no other control characters than \t; no soft hyphens or byte order marks; well-formed; NFC. */
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
    .normalize('NFC')
}

/** One line of clean text, cut; null where nothing is left. */
export function cleanLine(raw: string, maxChars: number): string | null {
  const line = cleanText(raw.slice(0, maxChars * 4))
    .replaceAll(/\s+/g, ' ')
    .trim()
  return line.slice(0, maxChars).toWellFormed() || null
}

/** Gathers text up to a limit; DOCUMENT_TOO_LARGE beyond. */
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
    if (this.#length > this.maxChars) throw tooMuchText(this.maxChars)
    this.#parts.push(part)
  }

  toString(): string {
    return this.#parts.join('')
  }
}
