import type { Embedder } from '../../../search/embedding/embedder.ts'
import type { IndexedChunk, IndexedResource } from '../../../search/indexed-resource.ts'
import type { Collection } from './collection.ts'
import { buildResource } from './place.ts'

/** Sentences with their vectors, that resources are made of. */
export interface Pool {
  sentences: string[]
  vectors: Float32Array[]
}

const MIN_WORDS = 30
/** Per chunk: one that it has in common with its neighbours' subject, one of its own, and some more words. */
const MORE_SENTENCES = 3
const MEAN_CHUNKS = 5

/** Real sentences with real vectors, evenly from all collections. */
export async function buildPool(collections: Collection[], embedder: Embedder, size: number): Promise<Pool> {
  const texts = collections.flatMap(({ documents }) => documents.map(({ text }) => text))
  const all = [
    ...new Set(texts.flatMap(text => text.split(/(?<=[.?!])\s+/)).filter(({ length }) => length > MIN_WORDS)),
  ]
  const step = Math.max(1, Math.floor(all.length / size))
  const sentences = all.filter((_, i) => i % step === 0).slice(0, size)
  return { sentences, vectors: await embedder.embed(sentences) }
}

/**
 * Resources of `meanChunks` chunks on average, so many chunks in all. A chunk's vector lies between those of two of its
 * sentences, so that words and meaning agree as they do in texts. The same `seed` gives the same.
 */
export function* buildResources(
  pool: Pool,
  chunks: number,
  seed: number,
  meanChunks = MEAN_CHUNKS,
): Generator<IndexedResource> {
  const random = createRandom(seed)
  const any = () => Math.floor(random() * pool.sentences.length)
  for (let made = 0, n = 0; made < chunks; n++) {
    const count = Math.min(chunks - made, 1 + Math.floor(random() * (2 * meanChunks - 1)))
    const subject = any()
    const own = Array.from({ length: count }, (_, ordinal) => buildChunk(pool, ordinal, subject, any))
    yield buildResource({ id: `${seed}-${n}`, title: (pool.sentences[subject] ?? '').slice(0, 60) }, own)
    made += count
  }
}

function buildChunk({ sentences, vectors }: Pool, ordinal: number, subject: number, any: () => number): IndexedChunk {
  const first = (subject + ordinal) % sentences.length
  const chosen = [first, any(), ...Array.from({ length: MORE_SENTENCES }, any)]
  const [near, far] = [vectors[first], vectors[chosen[1] ?? 0]] as [Float32Array, Float32Array]
  const vector = near.map((number, i) => number + 0.6 * (far[i] ?? 0))
  const length = Math.hypot(...vector)
  return { ordinal, heading: null, text: chosen.map(i => sentences[i]).join(' '), vector: vector.map(n => n / length) }
}

/** Numbers from 0 to 1 that are the same each time. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
