import { sentences } from './splitters.ts'
import type { TokenCounter } from './token-counter.ts'
import type { Span } from './span.ts'
import type { Segment } from './segments.ts'

/** A complete chunk without its text. */
export interface ChunkSpan extends Span {
  headings: string[]
  /** Text of the header row, if the chunk starts inside a table. */
  header?: string
  tokens: number
}

export interface ChunkBuilder {
  /** Starts a section. `trail` contains the titles of its heading and the headings above it. */
  section(trail: string[]): Generator<ChunkSpan>
  add(segment: Segment): Generator<ChunkSpan>
  /** Returns the maximum tokens of a segment that can stay with the headings above it. */
  availableTokens(): number
  end(): Generator<ChunkSpan>
}

export interface Limits {
  maxTokens: number
  overlapTokens: number
}

interface OpenChunk extends ChunkSpan {
  segments: Segment[]
  /** Whether the chunk contains only headings so far. */
  hasOnlyHeadings: boolean
}

/**
 * Number of chunks that may end early at a heading. Later chunks may end early only if the average fill reaches
 * MIN_AVERAGE_FILL.
 */
const MAX_EARLY_CHUNKS = 64
const MIN_AVERAGE_FILL = 1 / 8

/**
 * Fills chunks with segments in order. A heading ends a chunk, unless the chunk contains only the headings above it,
 * or chunks would become too many and too small. In the latter case, a chunk contains several sections under their
 * shared headings.
 */
export function createChunkBuilder(counter: TokenCounter, { maxTokens, overlapTokens }: Limits): ChunkBuilder {
  let open: OpenChunk | undefined
  let headings: string[] = []
  let chunks = 0
  let filled = 0

  function* close(): Generator<ChunkSpan> {
    if (!open) return
    const { start, end, tokens, header } = open
    chunks++
    filled += tokens
    yield { start, end, tokens, header, headings: open.headings }
    open = undefined
  }

  const fits = ({ start, tokens }: OpenChunk, segment: Segment) =>
    tokens + segment.tokens <= maxTokens && segment.end - start <= counter.maxLength

  const mayEndEarly = (early: OpenChunk) =>
    chunks < MAX_EARLY_CHUNKS || filled + early.tokens >= chunks * maxTokens * MIN_AVERAGE_FILL

  return {
    *section(next) {
      headings = next
      if (!open) return
      if (open.hasOnlyHeadings && isPrefix(open.headings, next)) open.headings = next
      else if (mayEndEarly(open)) yield* close()
      else open.headings = sharedPrefix(open.headings, next)
    },
    *add(segment) {
      let overlapping: Segment[] = []
      if (open && !fits(open, segment)) {
        overlapping = takeOverlap(open.segments, segment, counter, { maxTokens, overlapTokens })
        yield* close()
      }
      open ??= openChunk(overlapping, segment, headings)
      open.segments.push(segment)
      open.end = segment.end
      open.tokens += segment.tokens
      open.hasOnlyHeadings &&= segment.kind === 'heading'
    },
    availableTokens: () =>
      open?.hasOnlyHeadings && open.tokens <= maxTokens / 2 ? maxTokens - open.tokens : maxTokens,
    end: close,
  }
}

const openChunk = (before: Segment[], segment: Segment, headings: string[]): OpenChunk => ({
  start: before[0]?.start ?? segment.start,
  end: segment.end,
  tokens: before.reduce((sum, { tokens }) => sum + tokens, 0),
  segments: before,
  hasOnlyHeadings: before.length === 0,
  header: before.length === 0 ? segment.header : undefined,
  headings,
})

/** Returns the last whole sentences of a chunk, which are repeated at the start of the next chunk. */
function takeOverlap(
  segments: Segment[],
  next: Segment,
  counter: TokenCounter,
  { maxTokens, overlapTokens }: Limits,
): Segment[] {
  if (next.kind !== 'prose') return []
  const overlap: Segment[] = []
  let tokensLeft = Math.min(overlapTokens, maxTokens - next.tokens)
  for (const segment of segments.toReversed()) {
    if (segment.kind !== 'prose') break
    for (const sentence of [...sentences(counter.text, segment)].toReversed()) {
      const tokens = tokensLeft > 0 ? counter.measure(sentence, tokensLeft) : undefined
      if (tokens === undefined || next.end - sentence.start > counter.maxLength) return overlap
      overlap.unshift({ ...sentence, kind: 'prose', tokens })
      tokensLeft -= tokens
    }
  }
  return overlap
}

const isPrefix = (shorter: string[], longer: string[]): boolean =>
  shorter.length < longer.length && shorter.every((title, i) => title === longer[i])

function sharedPrefix(a: string[], b: string[]): string[] {
  const different = a.findIndex((title, i) => title !== b[i])
  return different === -1 ? a : a.slice(0, different)
}
