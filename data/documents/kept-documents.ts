import { LRUCache } from 'lru-cache'
import { writeDocumentText } from '../../domain/resources/document-text.ts'
import type { Resource } from '../resources/resources-store.ts'

type Revision = Pick<Resource, 'revision' | 'document'>

/** Reading and parsing a longer document takes milliseconds and leaves megabytes for the garbage collector. */
const MIN_CHARS = 50_000
const MAX_CHARS = 4_000_000
/** Users change a document several times in a row; later its memory is released. */
const MAX_AGE_MS = 60_000

/** The latest large documents of this process, by the id of the resource. The revision says whether one is still current. */
const documents = new LRUCache<string, Revision>({
  maxSize: MAX_CHARS,
  sizeCalculation: ({ document }) => writeDocumentText(document).length,
  ttl: MAX_AGE_MS,
  ttlAutopurge: true,
})

export const findKeptDocument = (id: string): Revision | undefined => documents.get(id)

/** Keeps a large document, which must not change afterwards. */
export function keepDocument({ id, revision, document }: Pick<Resource, 'id' | 'revision' | 'document'>): void {
  if (writeDocumentText(document).length >= MIN_CHARS) documents.set(id, { revision, document })
}
