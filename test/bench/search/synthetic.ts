import type { Embedder } from '../../../search/embedding/embedder.ts'
import type { IndexedChunk, IndexedResource } from '../../../search/indexed-resource.ts'
import type { Collection } from './collection.ts'
import { buildResource } from './place.ts'

/** Sentences with vectors, used to build resources. */
export interface Pool {
  sentences: string[]
  vectors: Float32Array[]
}

const MIN_WORDS = 30
/** Each chunk consists of one sentence shared with related chunks, one unique sentence, and additional words. */
const MORE_SENTENCES = 3
const MEAN_CHUNKS = 5

/** Returns real sentences with real vectors, drawn evenly from all collections. */
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
 * Builds resources with `meanChunks` chunks on average, up to the total number of chunks. A chunk's vector lies
 * between the vectors of two of its sentences, so that words and meaning agree as in real texts. The same `seed`
 * yields the same resources.
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

/** Returns a generator of reproducible numbers from 0 to 1. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
