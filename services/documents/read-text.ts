import { findContentPart } from '../../data/documents/contents-store.ts'
import type { Database } from '../../data/shared/database.ts'
import { findExtractedText } from '../../data/documents/extractions-store.ts'
import { Conflict } from '../../domain/shared/errors.ts'
import type { Content } from '../../domain/resources/kind.ts'
import { getResourceKind } from '../../domain/resources/kinds/index.ts'
import type { ArtifactDocument } from '../../domain/resources/kinds/artifacts.ts'
import type { AssetDocument } from '../../domain/resources/kinds/assets.ts'
import type { HeadView } from '../../contract/resources/head.ts'
import type { ResourcesService } from '../resources/resources.ts'
import { readTextPart, type TextPart } from './text-parts.ts'
import type { DocumentsService } from './documents.ts'

/** A part of the text of a document. */
export interface DocumentPart extends TextPart {
  document: HeadView
  media_type: string
}

/** Reads texts of documents that are visible to the principal, in parts. */
export function createReadText({ db, resources }: { db: Database; resources: Pick<ResourcesService, 'read'> }) {
  const readText: DocumentsService['readText'] = async (principal, kind, idOrSlug, { version, offset, max_bytes }) => {
    const { document, snapshot: _, ...head } = await resources.read(principal, kind, idOrSlug, version)
    const { media_type } = document as ArtifactDocument | AssetDocument
    const content = getResourceKind(kind).content?.(document) as Content
    const slice = await db.inWorkspace(principal.workspace_id, async tx => {
      const text = content.isText ? content.sha256 : await findExtractedText(tx, content)
      return text === undefined ? undefined : findContentPart(tx, text, { offset, max_bytes })
    })
    if (!slice) throw new Conflict('The document has no text: see its `extraction`')
    return { document: head, media_type, ...readTextPart(slice, offset) }
  }
  return readText
}
