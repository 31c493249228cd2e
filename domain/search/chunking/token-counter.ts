import type { Span } from './span.ts'

/** Counts the tokens of spans of one text. */
export interface TokenCounter {
  readonly text: string
  /** Maximum length of a chunk in UTF-16 units, white space included. */
  readonly maxLength: number
  count(span: Span): number
  /** Returns the tokens of a span, or undefined if it is longer than `maxLength` or has more than `max` tokens. */
  measure(span: Span, max: number): number | undefined
}

/**
 * Maximum average length of a token in any language. Longer text (a run of one letter, a wide gap) is cut as well,
 * because some tokenizers make one token of a word of any length.
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
