import type { Block } from './block.ts'
import { createChunkBuilder, type ChunkSpan } from './chunk-builder.ts'
import { createTokenCounter } from './token-counter.ts'
import { splitBlock } from './segments.ts'
import { type Carry, parseBlocks, plainBlocks } from './markdown.ts'
import { trimSpan } from './span.ts'
import { splitIntoWindows } from './windows.ts'

/** A section of a text that the embedding model can read whole: `text.slice(start, end)`. */
export interface Chunk {
  /** Counts from 0, in the order of the text. */
  ordinal: number
  /** UTF-16 offsets, the end exclusive; both grow from chunk to chunk. Chunks may overlap. */
  start: number
  end: number
  text: string
  /** Titles of the headings above it, `Guide › Setup`, and the header row if it begins inside a table. */
  heading: string | null
  tokens: number
}

interface ChunkOptions {
  /** Counts the tokens of a text without the special tokens of the model. White space at the ends must not count. */
  countTokens: (text: string) => number
  maxTokens: number
  /** Tokens at the end of a chunk, in whole sentences, that the next chunk repeats at most. */
  overlapTokens: number
}

const HEADING_SEPARATOR = ' › '

/** Returns all chunks of a text, Markdown or plain. They contain everything but white space. */
export const chunkText = (text: string, options: ChunkOptions): Chunk[] => [...generateChunks(text, options)]

/**
 * Yields the chunks of a text one by one, so that the caller can do other work in between: each takes a few
 * milliseconds. The cost is linear in the text.
 */
function* generateChunks(text: string, options: ChunkOptions): Generator<Chunk> {
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

/** Adds a heading, and removes the headings that it ends. Returns the titles from the outermost heading to this one. */
function pushHeading(headings: { level: number; title: string }[], { level = 1, title = '' }: Block): string[] {
  while ((headings.at(-1)?.level ?? 0) >= level) headings.pop()
  headings.push({ level, title })
  return headings.map(each => each.title)
}

/** Yields the blocks of a text in order, and parses one window at a time. */
function* parseText(text: string): Generator<Block> {
  let carry: Carry | undefined
  for (const window of splitIntoWindows(text)) {
    if (window.isPlain) yield* plainBlocks(text, window)
    else if (trimSpan(text, window)) {
      const parsed = parseBlocks(text, window, carry)
      carry = parsed.carry
      yield* parsed.blocks
    }
  }
}
