/** Removes markup and cell separators from user text, and truncates it to 300 characters. */
export const escapeMarkdown = (text: string): string => text.replaceAll(/[\r\n|<>`*_[\]]/g, ' ').slice(0, 300)
