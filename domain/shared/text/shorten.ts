/** Returns at most `maxChars` characters. An ellipsis replaces the end of a longer text. */
export const shorten = (text: string, maxChars: number): string =>
  text.length <= maxChars ? text : `${text.slice(0, maxChars - 1)}…`
