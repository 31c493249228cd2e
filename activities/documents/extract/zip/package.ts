import { decodeText } from '../../../../services/documents/charset.ts'
import { broken } from '../../../../services/documents/reading/document-error.ts'
import type { ExtractLimits } from '../../../../services/documents/reading/limits.ts'
import { readDirectory } from './directory.ts'
import { unpack } from './unpack.ts'

/** The parts of an Office document. The total size of the parts that are read is limited. */
export interface Package {
  exists(name: string): boolean
  names(): string[]
  read(name: string, encoding: 'utf-8'): Promise<string>
}

/** Opens a package. A part is unpacked when it is read, so images stay packed. */
export function openPackage(zip: Buffer, limits: Pick<ExtractLimits, 'entries' | 'unpackedBytes'>): Package {
  const entries = readDirectory(zip, limits.entries)
  let bytesLeft = limits.unpackedBytes
  return {
    exists: name => entries.has(name),
    names: () => [...entries.keys()],
    async read(name) {
      const entry = entries.get(name)
      if (!entry) throw broken('The document is incomplete')
      const bytes = unpack(zip, entry, bytesLeft)
      bytesLeft -= bytes.length
      const xml = decodeText(bytes)
      // Office formats forbid DOCTYPE, and entities could multiply or refer to external content.
      if (xml.includes('<!DOCTYPE')) throw broken('The document defines XML entities, which is not allowed')
      return xml
    },
  }
}
