/** No HTML begins in the text. */
export const escapeTags = (text: string): string => text.replaceAll(/<(?=[a-z/!?])/gi, '\\<')

/**
 * Text that is meant as such, as a block of Markdown: no HTML, heading, code fence or underline begins in it. Lists and
 * emphasis are left: they read as what they look like, and each backslash is in the way of a search.
 */
export function escapeText(text: string): string {
  return escapeTags(text).replaceAll(/^(?=#{1,6}(?:\s|$)|`{3}|~{3}|(?:=+|-{2,})[ \t]*$)/gm, '\\')
}
