/** Stop words. */
const STOP = new Set(
  `a an and any are as at be been but by can could did do does for from give had has have how i in into is it its list me
  my of on or our please show tell than that the their them then there these they this those to up was we were what when
  where which who whom whose why will with would you your`.split(/\s+/),
)

/**
 * Returns the words of a text in a form that can be compared: lowercase, without stop words, plural endings and other
 * common endings.
 */
export function words(text: string): string[] {
  const matches = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return matches.filter(word => !STOP.has(word)).map(stem)
}

function stem(word: string): string {
  if (word.length <= 4 || /\d/.test(word)) return word.length > 3 ? word.replace(/(?<=[a-z]{3})s$/, '') : word
  return word.replace(/(?:ies|ied)$/, 'y').replace(/(?:ments?|ing|ed|es|s)$/, '')
}

/** Escapes a text for use in a regular expression. */
export const literally = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')

/** Counts tokens, which are words separated by whitespace. */
export const countWords = (text: string): number => text.match(/\S+/g)?.length ?? 0
