import type { Block } from './block.ts'
import { type Splitter, isOneCharacter, lines, wordPieces, sentences, words } from './splitters.ts'
import type { TokenCounter } from './token-counter.ts'
import { type Span, trimSpan } from './span.ts'

/** The unit from which chunks are built. It is not divided further. */
export interface Segment extends Span {
  kind: 'heading' | 'prose' | 'fragment' | 'code' | 'table'
  tokens: number
  /** Text of the table's header row. Only set for table rows. */
  header?: string
}

const LINE_SPLITTERS: Splitter[] = [lines, words, wordPieces]
const SPLITTERS = {
  heading: LINE_SPLITTERS,
  prose: [sentences, ...LINE_SPLITTERS],
  code: LINE_SPLITTERS,
  table: LINE_SPLITTERS,
}

/**
 * Splits a block into segments of at most `room` tokens at the coarsest possible level: the whole block, its
 * children, sentences, lines, words, pieces of words.
 */
export function* splitBlock(block: Block, counter: TokenCounter, room: number): Generator<Segment> {
  const span = trimSpan(counter.text, block)
  if (!span) return
  const { kind, header, children } = block
  const tokens = counter.measure(span, room)
  if (tokens !== undefined) yield { ...span, kind, header, tokens }
  else if (children.length > 0) for (const child of children) yield* splitBlock(child, counter, room)
  else
    for (const segment of splitSpan(span, SPLITTERS[kind], counter, room))
      yield { ...segment, kind: getSegmentKind(block, segment), header }
}

interface SplitPart extends Span {
  tokens: number
  /** Number of splits that led to this part. */
  level: number
}

function* splitSpan(
  span: Span,
  [split, ...finer]: Splitter[],
  counter: TokenCounter,
  room: number,
  level = 1,
): Generator<SplitPart> {
  if (!split) return
  for (const part of split(counter.text, span)) {
    const tokens = counter.measure(part, room)
    if (tokens !== undefined) yield { ...part, tokens, level }
    else if (finer.length === 0 && isOneCharacter(counter.text, part))
      yield { ...part, tokens: counter.count(part), level }
    else yield* splitSpan(part, finer.length > 0 ? finer : [split], counter, room, level + 1)
  }
}

/** Marks parts of sentences and headings as fragments. The next chunk may repeat a sentence, but not a fragment. */
const getSegmentKind = ({ kind }: Block, { level }: SplitPart): Segment['kind'] =>
  kind === 'prose' && level > 1 ? 'fragment' : kind === 'heading' ? 'fragment' : kind
