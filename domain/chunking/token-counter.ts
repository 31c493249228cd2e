import type { Span } from './span.ts'

/** Measures parts of one text. */
export interface TokenCounter {
  readonly text: string
  /** The longest a chunk may be, white space included, in UTF-16 units. */
  readonly maxLength: number
  count(span: Span): number
  /** Tokens of a span, or undefined when it is too long or has more than `most`. */
  measure(span: Span, max: number): number | undefined
}

/**
 * No language needs more characters for a token on average. What does (a run of one letter, a wide gap) is cut all
 * the same: some tokenizers make one token of a word of any length.
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
