/**
 * Decodes base64 (RFC 4648) in either alphabet, with or without padding. Returns undefined for other text, for
 * example with line breaks. `Buffer` would skip unknown characters.
 */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  const length = text.length - padding
  if (padding > 0 && text.length % 4 !== 0) return undefined
  const bytes = Buffer.from(text, 'base64')
  const isWhole = length % 4 !== 1 && bytes.byteLength === Math.floor((length * 3) / 4)
  return isWhole && isCanonical(text.slice(0, length)) ? bytes : undefined
}

/** Returns whether the last character has no bits beyond the last byte, and only one alphabet is used. */
function isCanonical(text: string): boolean {
  const isUrl = /[-_]/.test(text)
  if (isUrl && /[+/]/.test(text)) return false
  const tail = text.slice(text.length - (text.length % 4))
  const encoded = Buffer.from(tail, 'base64').toString(isUrl ? 'base64url' : 'base64')
  return encoded.replace(/=+$/, '') === tail
}
