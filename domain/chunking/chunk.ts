import type { Block } from './block.ts'
import { parseText } from './blocks.ts'
import { createChunkBuilder, type ChunkSpan } from './chunk-builder.ts'
import { createTokenCounter } from './token-counter.ts'
import { splitBlock } from './segments.ts'

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

const HEADING_SEPARATOR = ' › '

/** All chunks of a text, Markdown or plain. Everything but white space is in one of them; white space alone gives none. */
export const chunkText = (text: string, options: ChunkOptions): Chunk[] => [...generateChunks(text, options)]

/**
 * The same one by one, so that a caller with other work can do it in between; each takes a few milliseconds. The cost
 * is linear in the text.
 */
export function* generateChunks(text: string, options: ChunkOptions): Generator<Chunk> {
  let ordinal = 0
  for (const { start, end, tokens, headings, header } of buildChunkSpans(text, options)) {
    const heading = [...headings, header ?? []].flat().join(HEADING_SEPARATOR) || null
    yield { ordinal: ordinal++, start, end, text: text.slice(start, end), heading, tokens }
  }
}

function* buildChunkSpans(text: string, options: ChunkOptions): Generator<ChunkSpan> {
  const counter = createTokenCounter(text, options.countTokens, options.maxTokens)
  const builder = createChunkBuilder(counter, options)
  const headings: { level: number; title: string }[] = []
  for (const block of parseText(text)) {
    if (block.kind === 'heading') yield* builder.section(pushHeading(headings, block))
    for (const segment of splitBlock(block, counter, builder.availableTokens())) yield* builder.add(segment)
  }
  yield* builder.end()
}

/** Takes a heading in, in the place of those it ends. Gives the titles above and with it. */
function pushHeading(headings: { level: number; title: string }[], { level = 1, title = '' }: Block): string[] {
  while ((headings.at(-1)?.level ?? 0) >= level) headings.pop()
  headings.push({ level, title })
  return headings.map(each => each.title)
}
