/**
 * Limit of the words of a query. In a keyword search each word is a clause in three fields, and Elasticsearch refuses
 * queries of more than about 1,000 clauses. The built-in model reads 256 tokens, which are about 200 words.
 */
const MAX_WORDS = 256

/** Matches one word of the index: a run of letters and digits, or one character of Chinese, Japanese or Korean. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Extended_Pictographic}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])[\p{L}\p{N}\p{M}_])+/gu

/** Removes control characters and unpaired surrogates from a query. */
export const cleanQuery = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()

/** Returns the beginning of a clean query, up to the limit of words. */
export function cutQuery(query: string): { text: string; truncated: boolean } {
  let words = 0
  for (const { index } of query.matchAll(WORD)) {
    words += 1
    if (words > MAX_WORDS) return { text: query.slice(0, index).trimEnd(), truncated: true }
  }
  return { text: query, truncated: false }
}
