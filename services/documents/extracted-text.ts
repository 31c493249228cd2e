import { lockAssetsWithContent, retitleAssets } from '../../data/documents/assets-store.ts'
import { saveContent } from '../../data/documents/contents-store.ts'
import type { Tx } from '../../data/shared/database.ts'
import { type ExtractionRecord, saveExtraction } from '../../data/documents/extractions-store.ts'
import { deriveTitle, type DocumentRef, findDocumentTitle, formatReadType } from '../../domain/documents/documents.ts'
import { computeSha256 } from '../resources/content.ts'
import type { ExtractedDocument } from './reading/extracted.ts'

/** The text of a content as one media type, ready to be stored. */
export interface ExtractedText {
  record: ExtractionRecord
  /** Left out if there is no text, or if it is stored already. */
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
 * Gives the live assets of a content the title that its text has. A title that a request set stays: only one that is the
 * file name or the like is replaced, in the version that has it.
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
