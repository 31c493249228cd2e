import { findContent } from '../../data/contents-store.ts'
import type { Tx } from '../../data/database.ts'
import { findExtractedText } from '../../data/extractions-store.ts'
import type { IndexedHead } from '../../data/search-state-store.ts'
import { redactDocument } from '../../domain/resources/redacting.ts'
import { getResourceKind } from '../../domain/resources/kinds/index.ts'

/** What search finds a version of a resource by, beside its title. */
export interface Source {
  /** Stays the same as long as the text does. */
  key: string
  read(tx: Tx): Promise<string>
}

/** Characters of one resource that search reads. */
const MAX_TEXT_CHARS = 20_000_000

/** The text of a head: its content, or what was extracted from it, and after that what its document says itself. */
export async function buildSource(tx: Tx, head: IndexedHead): Promise<Source> {
  const kind = getResourceKind(head.kind)
  // What is hidden is not found either.
  const own = kind.text(redactDocument(head, head.document, kind))
  const content = kind.content?.(head.document)
  const body = content && (content.isText ? content.sha256 : await findExtractedText(tx, content))
  return {
    key: JSON.stringify([head.version, head.title, own, body ?? null]),
    async read(tx) {
      const bytes = body === undefined ? undefined : await findContent(tx, body)
      const text = bytes?.toString('utf8') ?? ''
      return [text, own].filter(Boolean).join('\n\n').slice(0, MAX_TEXT_CHARS)
    },
  }
}
