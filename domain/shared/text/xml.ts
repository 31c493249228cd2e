const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
/** Characters that XML documents cannot contain. */
// oxlint-disable-next-line no-control-regex
const FORBIDDEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g

/** Escapes a text for XML content and attributes. */
export const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(FORBIDDEN, '\uFFFD')
    .replaceAll(/[&<>"']/g, sign => ENTITIES[sign] ?? sign)
