/** Escapes the starts of HTML tags. */
export const escapeTags = (text: string): string => text.replaceAll(/<(?=[a-z/!?])/gi, '\\<')

/**
 * Escapes text as a Markdown block so that it cannot start HTML, a heading, a code fence or an underline. Lists and
 * emphasis stay unescaped, because they are readable and backslashes impair search.
 */
export function escapeText(text: string): string {
  return escapeTags(text).replaceAll(/^(?=#{1,6}(?:\s|$)|`{3}|~{3}|(?:=+|-{2,})[ \t]*$)/gm, '\\')
}
