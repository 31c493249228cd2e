import { lockAssetsWithContent, retitleAssets } from '../../data/documents/assets-store.ts'
import { saveContent } from '../../data/documents/contents-store.ts'
import type { Tx } from '../../data/shared/database.ts'
import { type ExtractionRecord, saveExtraction } from '../../data/documents/extractions-store.ts'
import { deriveTitle, type DocumentRef, findDocumentTitle, formatReadType } from '../../domain/documents/documents.ts'
import { computeSha256 } from '../resources/content.ts'
import type { ExtractedDocument } from './reading/extracted.ts'

/** Text extracted from content with a given media type, ready to be stored. */
export interface ExtractedText {
  record: ExtractionRecord
  /** Absent if there is no text or the text is already stored. */
  bytes?: Uint8Array
}

export async function buildExtractedText(
  document: Pick<DocumentRef, 'sha256' | 'media_type' | 'charset'>,
  { text, title, pages, page_offsets, metadata }: ExtractedDocument,
): Promise<ExtractedText> {
  const { sha256 } = document
  const bytes = Buffer.from(text, 'utf8')
  const text_sha256 = await computeSha256(bytes)
  const facts = {
    text_sha256,
    title,
    pages: pages ?? null,
    page_offsets: page_offsets ?? null,
    characters: text.length,
    metadata,
  }
  return {
    record: { sha256, media_type: formatReadType(document), ...facts, error_code: null, error_message: null },
    bytes,
  }
}

/**
 * Sets the title found in a content's text on the live assets with this content. Replaces only default titles, such
 * as the file name, and only in the version that has them. Titles set by a request are kept.
 */
async function titleAssets(tx: Tx, { sha256, title }: ExtractionRecord): Promise<void> {
  const newTitle = title === null ? undefined : findDocumentTitle(title)
  if (newTitle === undefined) return
  const assets = await lockAssetsWithContent(tx, sha256)
  const untitled = assets.filter(asset => asset.title !== newTitle && asset.title === deriveTitle(asset))
  if (untitled.length > 0)
    await retitleAssets(
      tx,
      untitled.map(({ id }) => id),
      newTitle,
    )
}

export async function saveExtractedText(tx: Tx, { record, bytes }: ExtractedText): Promise<void> {
  const { text_sha256: sha256 } = record
  await Promise.all([sha256 && bytes && saveContent(tx, { sha256, bytes }), saveExtraction(tx, record)])
  await titleAssets(tx, record)
}
