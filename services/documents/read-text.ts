import { StringDecoder } from 'node:string_decoder'
import { findContentPart } from '../../data/contents-store.ts'
import type { Database } from '../../data/database.ts'
import { findExtractedText } from '../../data/extractions-store.ts'
import { Conflict } from '../../domain/errors.ts'
import type { ArtifactDocument } from '../../domain/resources/kinds/artifacts.ts'
import type { AssetDocument } from '../../domain/resources/kinds/assets.ts'
import type { ResourcesService } from '../resources/types.ts'
import type { DocumentsService } from './types.ts'

/** Reads texts of documents that are visible to the principal, in parts. */
export function createReadText({ db, resources }: { db: Database; resources: Pick<ResourcesService, 'read'> }) {
  const readText: DocumentsService['readText'] = async (principal, kind, idOrSlug, { version, offset, max_bytes }) => {
    const { document, snapshot: _, ...head } = await resources.read(principal, kind, idOrSlug, version)
    const { sha256, media_type } = document as ArtifactDocument | AssetDocument
    const found = await db.inWorkspace(principal.workspace_id, async tx => {
      const text = kind === 'artifacts' ? sha256 : await findExtractedText(tx, { sha256, media_type })
      return text === undefined ? undefined : findContentPart(tx, text, { offset, max_bytes })
    })
    if (!found) throw new Conflict('The document has no text: its extraction has not ended, or has failed')
    const { text, end } = decodePart(found.bytes, offset)
    const isLast = end >= found.size || end === offset
    return { document: head, media_type, text, size: found.size, ...(!isLast && { next_offset: end }) }
  }
  return readText
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
