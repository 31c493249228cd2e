import { StringDecoder } from 'node:string_decoder'

/** A part of a text. Offsets and sizes are in bytes of UTF-8. */
export interface TextPart {
  text: string
  /** Of the whole text. */
  size: number
  /** Where the next part begins. Absent for the last one. */
  next_offset?: number
}

/** Builds a part of the bytes from an offset. A character that they cut belongs to the next part. */
export function readTextPart({ bytes, size }: { bytes: Buffer; size: number }, offset: number): TextPart {
  const { text, end } = decodePart(bytes, offset)
  const isLast = end >= size || end === offset
  return { text, size, ...(!isLast && { next_offset: end }) }
}

/** Decodes the whole characters of a part. Returns where they end. */
function decodePart(bytes: Buffer, offset: number): { text: string; end: number } {
  const begin = offset === 0 ? 0 : bytes.findIndex(byte => (byte & 0xc0) !== 0x80)
  const decoder = new StringDecoder('utf8')
  const text = decoder.write(bytes.subarray(Math.max(begin, 0)))
  const cut = Buffer.byteLength(decoder.end()) > 0 ? countCut(bytes) : 0
  return { text, end: offset + bytes.byteLength - cut }
}

/** The number of bytes at the end that are the beginning of a character. */
function countCut(bytes: Buffer): number {
  let cut = 1
  while (cut < 4 && cut < bytes.byteLength && ((bytes.at(-cut) ?? 0) & 0xc0) === 0x80) cut++
  return cut
}
