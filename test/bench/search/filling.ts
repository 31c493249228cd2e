import type { Embedder } from '../../../search/embedding/embedder.ts'
import type { IndexedResource } from '../../../search/indexed-resource.ts'
import type { Search } from '../../../search/search.ts'
import { toEmbeddedText } from '../../../services/indexing/chunker.ts'
import type { Document } from './collection.ts'
import { resourceOf, writeAll } from './place.ts'

const DOCUMENTS_AT_ONCE = 64

/** Cuts, embeds and writes documents as the indexer does, and makes them findable. Gives how many chunks they are. */
export async function fill(search: Search, embedder: Embedder, documents: Document[]): Promise<number> {
  let chunks = 0
  for (let at = 0; at < documents.length; at += DOCUMENTS_AT_ONCE) {
    const resources = await prepare(embedder, documents.slice(at, at + DOCUMENTS_AT_ONCE))
    await writeAll(search, resources)
    chunks += resources.reduce((sum, each) => sum + each.chunks.length, 0)
  }
  await search.refresh()
  return chunks
}

async function prepare(embedder: Embedder, documents: Document[]): Promise<IndexedResource[]> {
  const cut = await cutUp(embedder, documents)
  const vectors = (await embedder.embed(cut.flatMap(({ texts }) => texts))).values()
  const next = () => vectors.next().value as Float32Array
  return cut.map(({ of, chunks }) =>
    resourceOf(
      of,
      chunks.map(({ ordinal, text, heading }) => ({ ordinal, text, heading, vector: next() })),
    ),
  )
}

/** What the embedder is given for these documents. */
export const textsOf = async (embedder: Embedder, documents: Document[]): Promise<string[]> =>
  (await cutUp(embedder, documents)).flatMap(({ texts }) => texts)

const cutUp = (embedder: Embedder, documents: Document[]) =>
  Promise.all(
    documents.map(async of => {
      const chunks = await embedder.chunk(of.text)
      return { of, chunks, texts: chunks.map(chunk => toEmbeddedText({ ...chunk, title: of.title })) }
    }),
  )
