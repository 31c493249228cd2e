import { crc32, inflateRawSync } from 'node:zlib'
import { broken, tooLarge } from '../../../../services/documents/reading/document-error.ts'
import type { ZipEntry } from './directory.ts'

const LOCAL_HEADER = 0x04034b50
const LOCAL_HEADER_BYTES = 30
const STORED = 0
const DEFLATED = 8

/** Returns the bytes of an entry. It unpacks at most `maxBytes`, also where the entry declares a smaller size. */
export function unpack(zip: Buffer, entry: ZipEntry, maxBytes: number): Buffer {
  if (entry.bytes > maxBytes) throw unpackedSizeError()
  const bytes = inflate(packedBytes(zip, entry), entry, maxBytes)
  if (bytes.length !== entry.bytes || crc32(bytes) !== entry.crc) throw damagedEntryError(entry)
  return bytes
}

function packedBytes(zip: Buffer, entry: ZipEntry): Buffer {
  const at = entry.offset
  if (at + LOCAL_HEADER_BYTES > zip.length || zip.readUInt32LE(at) !== LOCAL_HEADER) throw damagedEntryError(entry)
  const start = at + LOCAL_HEADER_BYTES + zip.readUInt16LE(at + 26) + zip.readUInt16LE(at + 28)
  return zip.subarray(start, start + entry.packedBytes)
}

function inflate(packed: Buffer, entry: ZipEntry, maxBytes: number): Buffer {
  if (entry.method === STORED) return packed
  if (entry.method !== DEFLATED) throw broken(`${entry.name} in the document has an unknown compression method`)
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, maxBytes) })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw unpackedSizeError()
    throw damagedEntryError(entry, error)
  }
}

const unpackedSizeError = () => tooLarge('The document unpacks to more than is allowed')

const damagedEntryError = (entry: ZipEntry, cause?: unknown) =>
  broken(`The document is damaged at ${JSON.stringify(entry.name.slice(0, 100))}`, cause)
