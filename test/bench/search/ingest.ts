import { timed } from '../support/turns.ts'
import { fill, textsOf } from './filling.ts'
import type { TestContext } from './place.ts'

export interface IngestRow {
  chunks: number
  /** Chunks per second when texts are split, embedded, written and made searchable. */
  whole: number
  /** Chunks per second when the same texts are only embedded. */
  embedded: number
}

const DOCUMENTS = 600
const ROUNDS = 2

/** Measures ingestion speed, compared with the model alone. Both alternate, and the better round of each counts. */
export async function measureIngest({ collections, embedder, quick, withIndex }: TestContext): Promise<IngestRow> {
  const each = Math.ceil(DOCUMENTS / (quick ? 4 : 1) / collections.length)
  const documents = collections.flatMap(({ name, documents: all }) =>
    all.slice(0, each).map(({ id, title, text }) => ({ id: `${name}-${id}`, title, text })),
  )
  const texts = await textsOf(embedder, documents)
  const took = { whole: Infinity, embedded: Infinity }
  for (let round = 0; round < ROUNDS; round++) {
    took.embedded = Math.min(took.embedded, await timed(() => embedder.embed(texts)))
    const whole = withIndex(search => timed(() => fill(search, embedder, documents)))
    took.whole = Math.min(took.whole, await whole)
  }
  const rate = (ms: number) => (texts.length / ms) * 1_000
  return { chunks: texts.length, whole: rate(took.whole), embedded: rate(took.embedded) }
}
