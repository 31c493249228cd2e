/** Returns whether a charset name, such as `UTF8` or `utf-8`, means UTF-8. */
export function isUtf8(charset: string): boolean {
  try {
    return new TextDecoder(charset).encoding === 'utf-8'
  } catch {
    return false
  }
}
