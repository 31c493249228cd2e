import { crc32 } from 'node:zlib'
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import { decodeText } from '../../../services/documents/charset.ts'
import {
  brokenDocumentError,
  DocumentError,
  encryptedDocumentError,
  documentTooLargeError,
} from '../../../services/documents/reading/document-error.ts'
import type { ExtractLimits } from '../../../services/documents/reading/limits.ts'

/** The parts of an Office document. The total size of the parts that are read is limited. */
export interface Package {
  exists(name: string): boolean
  names(): string[]
  read(name: string, encoding: 'utf-8'): Promise<string>
}

/**
 * Opens a package. Parts are unpacked only when they are read, so images stay packed. Throws DocumentError if the ZIP
 * file is damaged or encrypted, or has too many entries.
 */
export async function openPackage(
  bytes: Buffer,
  limits: Pick<ExtractLimits, 'entries' | 'unpackedBytes'>,
): Promise<Package> {
  const { zip, entries } = await readEntries(bytes, limits.entries)
  let left = limits.unpackedBytes
  const spend = (size: number): void => {
    if (size > left) throw documentTooLargeError('The document exceeds the maximum unpacked size')
    left -= size
  }
  return {
    exists: name => entries.has(name),
    names: () => [...entries.keys()],
    async read(name) {
      const entry = entries.get(name)
      if (!entry) throw brokenDocumentError('The document is incomplete')
      const xml = decodeText(await unpack(zip, entry, spend))
      // Office formats forbid DOCTYPE, because entities could multiply text or refer to external content.
      if (xml.includes('<!DOCTYPE'))
        throw brokenDocumentError('The document defines XML entities, which is not allowed')
      return xml
    },
  }
}

/** Returns the entries by name, without unpacking them. */
async function readEntries(bytes: Buffer, maxEntries: number): Promise<{ zip: ZipFile; entries: Map<string, Entry> }> {
  try {
    // Names are used only as keys, never as paths, so they need no validation. `unpack` checks the sizes.
    const zip = await fromBufferPromise(bytes, { decodeStrings: false, validateEntrySizes: false })
    if (zip.entryCount > maxEntries)
      throw documentTooLargeError(`The document must contain at most ${maxEntries} files, not ${zip.entryCount}`)
    const entries = new Map<string, Entry>()
    for await (const entry of zip.eachEntry()) {
      if (entry.isEncrypted()) throw encryptedDocumentError('document')
      entries.set(entry.fileNameRaw.toString(), entry)
    }
    return { zip, entries }
  } catch (error) {
    if (error instanceof DocumentError) throw error
    throw brokenDocumentError('The document is truncated or damaged', error)
  }
}

/** Returns an entry's bytes. Calls `spend` with the size of each piece, because the declared size may be wrong. */
async function unpack(zip: ZipFile, entry: Entry, spend: (size: number) => void): Promise<Buffer> {
  const name = JSON.stringify(entry.fileNameRaw.toString().slice(0, 100))
  if (!entry.canDecodeFileData())
    throw brokenDocumentError(`${name} in the document uses an unknown compression method`)
  const pieces: Buffer[] = []
  try {
    for await (const piece of await zip.openReadStreamPromise(entry)) {
      spend((piece as Buffer).length)
      pieces.push(piece as Buffer)
    }
  } catch (error) {
    if (error instanceof DocumentError) throw error
    throw brokenDocumentError(`The document is damaged at ${name}`, error)
  }
  const bytes = Buffer.concat(pieces)
  if (bytes.length !== entry.uncompressedSize || crc32(bytes) !== entry.crc32)
    throw brokenDocumentError(`The document is damaged at ${name}`)
  return bytes
}
