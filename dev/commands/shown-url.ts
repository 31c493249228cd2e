/** A URL fit to be shown: without its password. */
export function shownUrl(text: string): string {
  if (!URL.canParse(text)) return text
  const url = new URL(text)
  if (!url.password) return text
  url.password = '***'
  return url.href
}
