import type { Block } from './block.ts'
import { type Cut, isOneCharacter, lines, pieces, sentences, words } from './cuts.ts'
import type { Ruler } from './ruler.ts'
import { type Span, trimmed } from './span.ts'

/** What chunks are filled with. No unit is taken apart again. */
export interface Unit extends Span {
  kind: 'heading' | 'prose' | 'fragment' | 'code' | 'table'
  tokens: number
  /** Of a row of a table: what the table's header row says. */
  header?: string
}

const LINES: Cut[] = [lines, words, pieces]
const CUTS = { heading: LINES, prose: [sentences, ...LINES], code: LINES, table: LINES }

/**
 * Takes a block apart as little as it must be for each unit to have at most `room` tokens: not at all, else into its
 * parts, sentences, lines, words, pieces of words.
 */
export function* unitsOf(block: Block, ruler: Ruler, room: number): Generator<Unit> {
  const span = trimmed(ruler.text, block)
  if (!span) return
  const { kind, header, children } = block
  const tokens = ruler.measure(span, room)
  if (tokens !== undefined) yield { ...span, kind, header, tokens }
  else if (children.length > 0) for (const child of children) yield* unitsOf(child, ruler, room)
  else for (const unit of cutDown(span, CUTS[kind], ruler, room)) yield { ...unit, kind: kindOf(block, unit), header }
}

interface Part extends Span {
  tokens: number
  /** How many cuts it took. */
  cuts: number
}

function* cutDown(span: Span, [cut, ...finer]: Cut[], ruler: Ruler, room: number, cuts = 1): Generator<Part> {
  if (!cut) return
  for (const part of cut(ruler.text, span)) {
    const tokens = ruler.measure(part, room)
    if (tokens !== undefined) yield { ...part, tokens, cuts }
    else if (finer.length === 0 && isOneCharacter(ruler.text, part)) yield { ...part, tokens: ruler.count(part), cuts }
    else yield* cutDown(part, finer.length > 0 ? finer : [cut], ruler, room, cuts + 1)
  }
}

/** A sentence of a paragraph can be repeated in the next chunk, a part of a sentence makes no sense there. */
const kindOf = ({ kind }: Block, { cuts }: Part): Unit['kind'] =>
  kind === 'prose' && cuts > 1 ? 'fragment' : kind === 'heading' ? 'fragment' : kind
