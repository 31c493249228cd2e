import { isUtf8 } from 'node:buffer'
import { setImmediate as breathe } from 'node:timers/promises'

/** Number of bytes to decode at a time. The event loop handles other work between slices. */
const SLICE_BYTES = 262_144

/** Returns the charset indicated by a byte order mark. */
export function charsetOfMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return undefined
}

/** Returns a charset's standard name, such as `windows-1252` for `latin1`. Returns undefined for an unknown label. */
export function standardCharset(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding
  } catch {
    return undefined
  }
}

/** Returns true if the bytes are valid in the charset. Large inputs are checked across several event loop turns. */
export async function isValidIn(bytes: Uint8Array, charset: string): Promise<boolean> {
  if (charset === 'utf-8') return isUtf8(bytes)
  const decoder = new TextDecoder(charset, { fatal: true })
  try {
    for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
      decoder.decode(bytes.subarray(at, at + SLICE_BYTES), { stream: true })
      await breathe()
    }
    decoder.decode()
    return true
  } catch {
    return false
  }
}

/** Decodes bytes and omits the byte order mark. Throws TypeError if the bytes are not valid in the charset. */
export function decodeText(bytes: Uint8Array, charset = 'utf-8'): string {
  return new TextDecoder(charsetOfMark(bytes) ?? charset, { fatal: true }).decode(bytes)
}
