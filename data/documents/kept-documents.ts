import { LRUCache } from 'lru-cache'
import { writeDocumentText } from '../../domain/resources/document-text.ts'
import type { Resource } from '../resources/resources-store.ts'

type Revision = Pick<Resource, 'revision' | 'document'>

/**
 * Smaller documents are cheap to parse. Parsing a larger document takes milliseconds and leaves megabytes of garbage.
 */
const MIN_CHARS = 50_000
const MAX_CHARS = 4_000_000
/** A user often changes a document several times in a row. After this time, the memory is released. */
const MAX_AGE_MS = 60_000

/**
 * Recently used large documents in this process, by resource id. An entry is current if its revision matches the
 * resource's revision.
 */
const documents = new LRUCache<string, Revision>({
  maxSize: MAX_CHARS,
  sizeCalculation: ({ document }) => writeDocumentText(document).length,
  ttl: MAX_AGE_MS,
  ttlAutopurge: true,
})

export const findKeptDocument = (id: string): Revision | undefined => documents.get(id)

/** Caches a large document. The caller must not modify the document afterwards. */
export function keepDocument({ id, revision, document }: Pick<Resource, 'id' | 'revision' | 'document'>): void {
  if (writeDocumentText(document).length >= MIN_CHARS) documents.set(id, { revision, document })
}
