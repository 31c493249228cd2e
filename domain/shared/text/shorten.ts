/**
 * Returns the first `maxChars` characters. Does not cut a pair of surrogates, because neither Postgres nor model
 * providers accept half of it.
 */
export const cut = (text: string, maxChars: number): string => text.slice(0, maxChars).replace(/[\uD800-\uDBFF]$/, '')

/** Returns at most `maxChars` characters. An ellipsis replaces the end of a longer text. */
export const shorten = (text: string, maxChars: number): string =>
  text.length <= maxChars ? text : `${cut(text, maxChars - 1)}…`
