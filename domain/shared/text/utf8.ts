/** Whether the name of a charset, such as `UTF8` or `utf-8`, stands for UTF-8. */
export function isUtf8(charset: string): boolean {
  try {
    return new TextDecoder(charset).encoding === 'utf-8'
  } catch {
    return false
  }
}
