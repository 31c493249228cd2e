/**
 * How many words of a query are looked for by keyword. Each is a clause in three fields; Elasticsearch refuses queries
 * of more than some 1,000 clauses.
 */
const MAX_WORDS = 256

/** What becomes a word of its own in an index: a run of letters and digits, but each sign of Han and Hiragana. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Extended_Pictographic}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}])[\p{L}\p{N}\p{M}_])+/gu

/** The text without what nobody can have meant: control characters, halves of surrogate pairs. */
export const cleanQuery = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()

/** The beginning of a text, as far as it is looked for by keyword. */
export function limitKeywords(text: string): string {
  let words = 0
  for (const { index } of text.matchAll(WORD)) {
    words += 1
    if (words > MAX_WORDS) return text.slice(0, index)
  }
  return text
}
