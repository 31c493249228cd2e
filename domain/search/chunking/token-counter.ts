import type { Span } from './span.ts'

/** Counts tokens of spans within one text. */
export interface TokenCounter {
  readonly text: string
  /** Maximum chunk length in UTF-16 units, including whitespace. */
  readonly maxLength: number
  count(span: Span): number
  /** Returns the token count of a span, or undefined if it is longer than `maxLength` or has more than `max` tokens. */
  measure(span: Span, max: number): number | undefined
}

/**
 * Maximum average token length in any language. Longer text, such as a run of one letter or a wide gap, is cut as
 * well, because some tokenizers produce one token for a word of any length.
 */
const MAX_CHARS_PER_TOKEN = 10

export function createTokenCounter(
  text: string,
  countTokens: (text: string) => number,
  maxTokens: number,
): TokenCounter {
  const maxLength = maxTokens * MAX_CHARS_PER_TOKEN
  const count = ({ start, end }: Span) => countTokens(text.slice(start, end))
  return {
    text,
    maxLength,
    count,
    measure(span, max) {
      if (span.end - span.start > maxLength) return undefined
      const tokens = count(span)
      return tokens <= max ? tokens : undefined
    },
  }
}
