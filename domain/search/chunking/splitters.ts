import { splitLines, type Span, trimSpan } from './span.ts'

/** Splits a span into ordered parts that contain everything except whitespace. */
export type Splitter = (text: string, span: Span) => Iterable<Span>

/** Maximum length of a word piece: short enough to count quickly, long enough that few words are cut. */
const MAX_PIECE_CHARS = 64

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

/** Yields sentences by the Unicode rules. A line break doesn't end a sentence, because texts are often wrapped. */
export const sentences: Splitter = function* (text, span) {
  const flat = text.slice(span.start, span.end).replaceAll(/[\r\n\u2028\u2029]/g, ' ')
  for (const { segment, index } of segmenter.segment(flat)) {
    const start = span.start + index
    const part = trimSpan(text, { start, end: start + segment.length })
    if (part) yield part
  }
}

export const lines: Splitter = function* (text, span) {
  for (const line of splitLines(text, span)) {
    const part = trimSpan(text, line)
    if (part) yield part
  }
}

export const words: Splitter = function* (text, span) {
  const word = /\S+/g
  word.lastIndex = span.start
  for (let match = word.exec(text); match && match.index < span.end; match = word.exec(text)) {
    const end = Math.min(match.index + match[0].length, span.end)
    yield { start: match.index, end }
    word.lastIndex = end
  }
}

/** Yields pieces of a word, each shorter than the word. Never splits a character. */
export const wordPieces: Splitter = function* (text, { start, end }) {
  const length = Math.min(MAX_PIECE_CHARS, Math.ceil((end - start) / 2))
  for (let from = start; from < end;) {
    const to = Math.min(from + length, end)
    const whole = isInsideCharacter(text, to) ? (to - 1 > from ? to - 1 : to + 1) : to
    yield { start: from, end: whole }
    from = whole
  }
}

export const isOneCharacter = (text: string, { start, end }: Span): boolean =>
  end - start <= 1 || (end - start === 2 && isInsideCharacter(text, start + 1))

/** Returns whether the offset is between the halves of a surrogate pair. */
const isInsideCharacter = (text: string, offset: number): boolean => (text.codePointAt(offset - 1) ?? 0) > 0xffff
