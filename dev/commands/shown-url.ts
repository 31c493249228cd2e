/** Returns a URL without its password, so that it can be printed. */
export function shownUrl(text: string): string {
  if (!URL.canParse(text)) return text
  const url = new URL(text)
  if (!url.password) return text
  url.password = '***'
  return url.href
}
