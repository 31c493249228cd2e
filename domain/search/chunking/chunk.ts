import type { Block } from './block.ts'
import { createChunkBuilder, type ChunkSpan } from './chunk-builder.ts'
import { createTokenCounter } from './token-counter.ts'
import { splitBlock } from './segments.ts'
import { type Carry, parseBlocks, plainBlocks } from './markdown.ts'
import { trimSpan } from './span.ts'
import { splitIntoWindows } from './windows.ts'

/** A section of a text that fits into the embedding model: `text.slice(start, end)`. */
export interface Chunk {
  /** Counts from 0 in text order. */
  ordinal: number
  /** UTF-16 offsets with an exclusive end. Both increase from chunk to chunk. Chunks may overlap. */
  start: number
  end: number
  text: string
  /**
   * Titles of the headings above the chunk (`Guide › Setup`), and the table's header row if the chunk starts inside a
   * table.
   */
  heading: string | null
  tokens: number
}

interface ChunkOptions {
  /** Counts the tokens of a text without the model's special tokens. Leading and trailing whitespace must not count. */
  countTokens: (text: string) => number
  maxTokens: number
  /** Maximum number of tokens, in whole sentences, that a chunk repeats from the end of the previous one. */
  overlapTokens: number
}

const HEADING_SEPARATOR = ' › '

/** Returns all chunks of a Markdown or plain text. They contain everything except whitespace. */
export const chunkText = (text: string, options: ChunkOptions): Chunk[] => [...generateChunks(text, options)]

/**
 * Yields the chunks of a text one at a time, so that the caller can do other work in between. Each chunk takes a few
 * milliseconds. The total cost is linear in the text length.
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

/**
 * Adds a heading and removes the headings whose sections it ends. Returns the titles from the outermost heading to
 * this one.
 */
function pushHeading(headings: { level: number; title: string }[], { level = 1, title = '' }: Block): string[] {
  while ((headings.at(-1)?.level ?? 0) >= level) headings.pop()
  headings.push({ level, title })
  return headings.map(each => each.title)
}

/** Yields the blocks of a text in order. Parses one window at a time. */
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
