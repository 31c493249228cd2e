/**
 * Maximum number of words in a query. In a keyword search, each word is a clause in three fields, and Elasticsearch
 * rejects queries with more than about 1,000 clauses. The built-in model reads 256 tokens, or about 200 words.
 */
const MAX_WORDS = 256

/** Matches one index word: a sequence of letters and digits, or a single Chinese, Japanese or Korean character. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Extended_Pictographic}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])[\p{L}\p{N}\p{M}_])+/gu

/** Replaces control characters and unpaired surrogates in a query, and trims it. */
export const cleanQuery = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()

/** Returns the beginning of a clean query, up to the word limit. */
export function cutQuery(query: string): { text: string; truncated: boolean } {
  let words = 0
  for (const { index } of query.matchAll(WORD)) {
    words += 1
    if (words > MAX_WORDS) return { text: query.slice(0, index).trimEnd(), truncated: true }
  }
  return { text: query, truncated: false }
}
