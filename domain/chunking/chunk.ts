import type { Block } from './block.ts'
import { blocksOf } from './blocks.ts'
import { createFiller, type Filled } from './filler.ts'
import { createRuler } from './ruler.ts'
import { unitsOf } from './units.ts'

/** A part of a text, small enough for the model to read whole. `text.slice(start, end)` is its text. */
export interface Chunk {
  /** From 0, in the order of the text. */
  ordinal: number
  /** UTF-16 offsets, the end exclusive. Both grow from chunk to chunk; a chunk may begin before the last one ended. */
  start: number
  end: number
  text: string
  /** The headings above it, `Guide › Setup`, and the header row where it begins inside a table. */
  heading: string | null
  tokens: number
}

export interface ChunkOptions {
  /** Of any text without the model's own marks; white space at its ends counts nothing. */
  countTokens: (text: string) => number
  maxTokens: number
  /** How much of a chunk's end, in whole sentences, the next one repeats. */
  overlapTokens: number
}

const BETWEEN = ' › '

/** All chunks of a text, Markdown or plain. Everything but white space is in one of them; white space alone gives none. */
export const chunkText = (text: string, options: ChunkOptions): Chunk[] => [...chunks(text, options)]

/**
 * The same one by one, so that a caller with other work can do it in between; each takes a few milliseconds. The cost
 * is linear in the text.
 */
export function* chunks(text: string, options: ChunkOptions): Generator<Chunk> {
  let ordinal = 0
  for (const { start, end, tokens, trail, header } of fill(text, options)) {
    const heading = [...trail, header ?? []].flat().join(BETWEEN) || null
    yield { ordinal: ordinal++, start, end, text: text.slice(start, end), heading, tokens }
  }
}

function* fill(text: string, options: ChunkOptions): Generator<Filled> {
  const ruler = createRuler(text, options.countTokens, options.maxTokens)
  const filler = createFiller(ruler, options)
  const headings: { level: number; title: string }[] = []
  for (const block of blocksOf(text)) {
    if (block.kind === 'heading') yield* filler.section(enter(headings, block))
    for (const unit of unitsOf(block, ruler, filler.room())) yield* filler.add(unit)
  }
  yield* filler.end()
}

/** Takes a heading in, in the place of those it ends. Gives the titles above and with it. */
function enter(headings: { level: number; title: string }[], { level = 1, title = '' }: Block): string[] {
  while ((headings.at(-1)?.level ?? 0) >= level) headings.pop()
  headings.push({ level, title })
  return headings.map(each => each.title)
}
