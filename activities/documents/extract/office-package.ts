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
 * Opens a package. A part is unpacked when it is read, so images stay packed. Throws DocumentError when the zip is damaged
 * or encrypted, or has too many entries.
 */
export async function openPackage(
  bytes: Buffer,
  limits: Pick<ExtractLimits, 'entries' | 'unpackedBytes'>,
): Promise<Package> {
  const { zip, entries } = await readEntries(bytes, limits.entries)
  let left = limits.unpackedBytes
  const spend = (size: number): void => {
    if (size > left) throw documentTooLargeError('The document unpacks to more than is allowed')
    left -= size
  }
  return {
    exists: name => entries.has(name),
    names: () => [...entries.keys()],
    async read(name) {
      const entry = entries.get(name)
      if (!entry) throw brokenDocumentError('The document is incomplete')
      const xml = decodeText(await unpack(zip, entry, spend))
      // Office formats forbid DOCTYPE, and entities could multiply or refer to external content.
      if (xml.includes('<!DOCTYPE'))
        throw brokenDocumentError('The document defines XML entities, which is not allowed')
      return xml
    },
  }
}

/** Returns the entries by name, without unpacking. */
async function readEntries(bytes: Buffer, maxEntries: number): Promise<{ zip: ZipFile; entries: Map<string, Entry> }> {
  try {
    // Names are keys here, and never paths: they need no check. `unpack` checks the sizes.
    const zip = await fromBufferPromise(bytes, { decodeStrings: false, validateEntrySizes: false })
    if (zip.entryCount > maxEntries)
      throw documentTooLargeError(`The document must hold at most ${maxEntries} files, not ${zip.entryCount}`)
    const entries = new Map<string, Entry>()
    for await (const entry of zip.eachEntry()) {
      if (entry.isEncrypted()) throw encryptedDocumentError('document')
      entries.set(entry.fileNameRaw.toString(), entry)
    }
    return { zip, entries }
  } catch (error) {
    if (error instanceof DocumentError) throw error
    throw brokenDocumentError('The document is cut off or damaged', error)
  }
}

/** Returns the bytes of an entry. `spend` is called with the size of each piece, as the declared size may be false. */
async function unpack(zip: ZipFile, entry: Entry, spend: (size: number) => void): Promise<Buffer> {
  const name = JSON.stringify(entry.fileNameRaw.toString().slice(0, 100))
  if (!entry.canDecodeFileData()) throw brokenDocumentError(`${name} in the document has an unknown compression method`)
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
