import { broken, encrypted, tooLarge } from '../../../../services/documents/reading/document-error.ts'

export interface ZipEntry {
  name: string
  /** 0 for stored, 8 for deflated. Other methods are not supported. */
  method: number
  crc: number
  packedBytes: number
  /** The size declared by the directory, which may be false. */
  bytes: number
  /** The offset of the local header. */
  offset: number
}

const END = 0x06054b50
const END_BYTES = 22
const MAX_COMMENT_BYTES = 65_535
const END64_LOCATOR = 0x07064b50
const END64_LOCATOR_BYTES = 20
const END64 = 0x06064b50
const ENTRY = 0x02014b50
const ENTRY_BYTES = 46
const ENCRYPTED_FLAG = 1
const EXTRA64 = 1
const IN_EXTRA = 0xffff_ffff

/** Returns the entries of a zip by name from its central directory, without unpacking. */
export function readDirectory(zip: Buffer, maxEntries: number): Map<string, ZipEntry> {
  try {
    return readEntries(zip, maxEntries)
  } catch (error) {
    if (error instanceof RangeError) throw broken('The document is cut off or damaged', error)
    throw error
  }
}

function readEntries(zip: Buffer, maxEntries: number): Map<string, ZipEntry> {
  const { count, start } = findDirectory(zip)
  if (count > maxEntries) throw tooLarge(`The document must hold at most ${maxEntries} files, not ${count}`)
  const entries = new Map<string, ZipEntry>()
  let at = start
  for (let number = 0; number < count; number++) {
    if (zip.readUInt32LE(at) !== ENTRY) throw broken('The document is cut off or damaged')
    const entry = readEntry(zip, at)
    entries.set(entry.name, entry)
    at += ENTRY_BYTES + zip.readUInt16LE(at + 28) + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  return entries
}

function findDirectory(zip: Buffer): { count: number; start: number } {
  const lowest = Math.max(0, zip.length - END_BYTES - MAX_COMMENT_BYTES)
  for (let at = zip.length - END_BYTES; at >= lowest; at--) {
    if (zip.readUInt32LE(at) !== END) continue
    const count = zip.readUInt16LE(at + 10)
    const start = zip.readUInt32LE(at + 16)
    return count === 0xffff || start === IN_EXTRA ? findDirectory64(zip, at) : { count, start }
  }
  throw broken('The document is cut off or damaged')
}

function findDirectory64(zip: Buffer, end: number): { count: number; start: number } {
  const locator = end - END64_LOCATOR_BYTES
  if (zip.readUInt32LE(locator) !== END64_LOCATOR) throw broken('The document is cut off or damaged')
  const at = Number(zip.readBigUInt64LE(locator + 8))
  if (zip.readUInt32LE(at) !== END64) throw broken('The document is cut off or damaged')
  return { count: Number(zip.readBigUInt64LE(at + 32)), start: Number(zip.readBigUInt64LE(at + 48)) }
}

function readEntry(zip: Buffer, at: number): ZipEntry {
  if (zip.readUInt16LE(at + 8) & ENCRYPTED_FLAG) throw encrypted('document')
  const nameBytes = zip.readUInt16LE(at + 28)
  const name = zip.toString('utf8', at + ENTRY_BYTES, at + ENTRY_BYTES + nameBytes)
  const extra = zip.subarray(at + ENTRY_BYTES + nameBytes, at + ENTRY_BYTES + nameBytes + zip.readUInt16LE(at + 30))
  const next64 = largeValues(extra)
  const value = (offset: number): number => {
    const short = zip.readUInt32LE(at + offset)
    return short === IN_EXTRA ? next64() : short
  }
  // The 64-bit values are in this order, for fields that are too small.
  const bytes = value(24)
  const packedBytes = value(20)
  const offset = value(42)
  return { name, method: zip.readUInt16LE(at + 10), crc: zip.readUInt32LE(at + 16), packedBytes, bytes, offset }
}

function largeValues(extra: Buffer): () => number {
  let at = 0
  while (at + 4 <= extra.length && extra.readUInt16LE(at) !== EXTRA64) at += 4 + extra.readUInt16LE(at + 2)
  at += 4
  return () => {
    const value = Number(extra.readBigUInt64LE(at))
    at += 8
    return value
  }
}
