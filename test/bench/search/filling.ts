import type { Embedder } from '../../../search/embedding/embedder.ts'
import type { IndexedResource } from '../../../search/indexed-resource.ts'
import type { Search } from '../../../search/search.ts'
import { buildEmbeddedText } from '../../../services/search/indexing/chunker.ts'
import type { Document } from './collection.ts'
import { buildResource, titleOf, writeAll } from './place.ts'

const DOCUMENTS_AT_ONCE = 64

/** Splits, embeds and writes documents as the indexer does, and makes them searchable. */
export async function fill(search: Search, embedder: Embedder, documents: Document[]): Promise<void> {
  for await (const resources of prepareInBatches(embedder, documents)) await writeAll(search, resources)
  await search.refresh()
}

/** Splits and embeds documents as the indexer does. */
export async function prepare(embedder: Embedder, documents: Document[]): Promise<IndexedResource[]> {
  return (await Array.fromAsync(prepareInBatches(embedder, documents))).flat()
}

async function* prepareInBatches(embedder: Embedder, documents: Document[]): AsyncGenerator<IndexedResource[]> {
  for (let at = 0; at < documents.length; at += DOCUMENTS_AT_ONCE) {
    const cut = await cutUp(embedder, documents.slice(at, at + DOCUMENTS_AT_ONCE))
    const vectors = (await embedder.embed(cut.flatMap(({ texts }) => texts))).values()
    const next = () => vectors.next().value as Float32Array
    yield cut.map(({ of, chunks }) =>
      buildResource(
        of,
        chunks.map(({ ordinal, text, heading }) => ({ ordinal, text, heading, vector: next() })),
      ),
    )
  }
}

/** Returns the embedder input for these documents. */
export const textsOf = async (embedder: Embedder, documents: Document[]): Promise<string[]> =>
  (await cutUp(embedder, documents)).flatMap(({ texts }) => texts)

const cutUp = (embedder: Embedder, documents: Document[]) =>
  Promise.all(
    documents.map(async of => {
      const chunks = await embedder.chunk(of.text)
      const title = titleOf(of)
      return { of: { ...of, title }, chunks, texts: chunks.map(chunk => buildEmbeddedText({ ...chunk, title })) }
    }),
  )
