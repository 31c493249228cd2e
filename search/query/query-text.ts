/**
 * Limit of the words in a keyword query. Each word is a clause in three fields, and Elasticsearch refuses queries of
 * more than about 1,000 clauses.
 */
const MAX_WORDS = 256

/** Matches one word of the index: a run of letters and digits, or one character of Han or Hiragana. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Extended_Pictographic}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}])[\p{L}\p{N}\p{M}_])+/gu

/** Removes control characters and unpaired surrogates from a query. */
export const cleanQuery = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()

/** Returns the beginning of a text, up to the limit of keyword words. */
export function limitKeywords(text: string): string {
  let words = 0
  for (const { index } of text.matchAll(WORD)) {
    words += 1
    if (words > MAX_WORDS) return text.slice(0, index)
  }
  return text
}
