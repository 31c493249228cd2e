import { findContent } from '../../../data/documents/contents-store.ts'
import type { Tx } from '../../../data/shared/database.ts'
import { findExtractedText } from '../../../data/documents/extractions-store.ts'
import type { IndexedHead } from '../../../data/search/search-state-store.ts'
import { redactDocument } from '../../../domain/resources/redacting.ts'
import { getResourceKind } from '../../../domain/resources/kinds/index.ts'

/** The text by which search finds a version, besides its title. */
export interface Source {
  /** Changes only with the text. */
  key: string
  read(tx: Tx): Promise<string>
}

/** Maximum length of the text of one resource. */
const MAX_TEXT_CHARS = 20_000_000

/** Builds the source of a head: its content or the text extracted from it, followed by the text of its document. */
export async function buildSource(tx: Tx, head: IndexedHead): Promise<Source> {
  const kind = getResourceKind(head.kind)
  // Redacted fields cannot be found.
  const ownText = kind.text(redactDocument(head, head.document, kind))
  const content = kind.content?.(head.document)
  const body = content && (content.isText ? content.sha256 : await findExtractedText(tx, content))
  return {
    key: JSON.stringify([head.version, head.title, ownText, body ?? null]),
    async read(tx) {
      const bytes = body === undefined ? undefined : await findContent(tx, body)
      const text = bytes?.toString('utf8') ?? ''
      return [text, ownText].filter(Boolean).join('\n\n').slice(0, MAX_TEXT_CHARS)
    },
  }
}
