import { timed } from '../support/turns.ts'
import { fill, textsOf } from './filling.ts'
import type { TestContext } from './place.ts'

export interface IngestRow {
  chunks: number
  /** Chunks a second: cut, embedded and written until they are found. */
  whole: number
  /** Chunks a second: the same texts embedded alone. */
  embedded: number
}

const DOCUMENTS = 600
const ROUNDS = 2

/** How fast documents become findable, beside what the model alone allows. Both in turns, the better round of each. */
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
