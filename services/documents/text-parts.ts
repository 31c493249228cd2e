import { StringDecoder } from 'node:string_decoder'

/** Part of a text. Offsets and sizes are in UTF-8 bytes. */
export interface TextPart {
  text: string
  /** Size of the entire text. */
  size: number
  /** The start of the next part. Absent for the last part. */
  next_offset?: number
}

/**
 * Returns the part that starts at an offset. If the end splits a character, that character belongs to the next part.
 */
export function readTextPart({ bytes, size }: { bytes: Buffer; size: number }, offset: number): TextPart {
  const { text, end } = decodePart(bytes, offset)
  const isLast = end >= size || end === offset
  return { text, size, ...(!isLast && { next_offset: end }) }
}

/** Decodes a part's complete characters. Returns the text and its end offset. */
function decodePart(bytes: Buffer, offset: number): { text: string; end: number } {
  const begin = offset === 0 ? 0 : bytes.findIndex(byte => (byte & 0xc0) !== 0x80)
  const decoder = new StringDecoder('utf8')
  const text = decoder.write(bytes.subarray(Math.max(begin, 0)))
  const cut = Buffer.byteLength(decoder.end()) > 0 ? countCut(bytes) : 0
  return { text, end: offset + bytes.byteLength - cut }
}

/** Returns the number of trailing bytes that form an incomplete character. */
function countCut(bytes: Buffer): number {
  let cut = 1
  while (cut < 4 && cut < bytes.byteLength && ((bytes.at(-cut) ?? 0) & 0xc0) === 0x80) cut++
  return cut
}
