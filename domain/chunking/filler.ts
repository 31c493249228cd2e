import { sentences } from './cuts.ts'
import type { Ruler } from './ruler.ts'
import type { Span } from './span.ts'
import type { Unit } from './units.ts'

/** A chunk that is complete, before it gets its text. */
export interface Filled extends Span {
  trail: string[]
  /** The header row, where it begins inside a table. */
  header?: string
  tokens: number
}

export interface Filler {
  /** A heading comes next: `trail` is it and those above it. */
  section(trail: string[]): Generator<Filled>
  add(unit: Unit): Generator<Filled>
  /** Tokens that a unit can have so that it need not be parted from the headings above it. */
  room(): number
  end(): Generator<Filled>
}

export interface Limits {
  maxTokens: number
  overlapTokens: number
}

interface Open extends Filled {
  units: Unit[]
  /** Nothing but headings so far. */
  bare: boolean
}

/** So many chunks may end early at a heading; from there on chunks are at least this full on average. */
const EARLY_ENDS = 64
const LEAST_FILLED = 1 / 8

/**
 * Fills chunks with units, one after the other. A heading ends a chunk, unless that has only the headings above it,
 * or chunks would become too many and too small: then it holds several sections, under what their trails share.
 */
export function createFiller(ruler: Ruler, { maxTokens, overlapTokens }: Limits): Filler {
  let open: Open | undefined
  let trail: string[] = []
  let chunks = 0
  let filled = 0

  function* close(): Generator<Filled> {
    if (!open) return
    const { start, end, tokens, header } = open
    chunks++
    filled += tokens
    yield { start, end, tokens, header, trail: open.trail }
    open = undefined
  }

  const fits = ({ start, tokens }: Open, unit: Unit) =>
    tokens + unit.tokens <= maxTokens && unit.end - start <= ruler.maxLength

  const mayEndEarly = (early: Open) => chunks < EARLY_ENDS || filled + early.tokens >= chunks * maxTokens * LEAST_FILLED

  return {
    *section(next) {
      trail = next
      if (!open) return
      if (open.bare && isPrefix(open.trail, next)) open.trail = next
      else if (mayEndEarly(open)) yield* close()
      else open.trail = sharedPrefix(open.trail, next)
    },
    *add(unit) {
      let before: Unit[] = []
      if (open && !fits(open, unit)) {
        before = overlap(open.units, unit, ruler, { maxTokens, overlapTokens })
        yield* close()
      }
      open ??= opened(before, unit, trail)
      open.units.push(unit)
      open.end = unit.end
      open.tokens += unit.tokens
      open.bare &&= unit.kind === 'heading'
    },
    room: () => (open?.bare && open.tokens <= maxTokens / 2 ? maxTokens - open.tokens : maxTokens),
    end: close,
  }
}

const opened = (before: Unit[], unit: Unit, trail: string[]): Open => ({
  start: before[0]?.start ?? unit.start,
  end: unit.end,
  tokens: before.reduce((sum, { tokens }) => sum + tokens, 0),
  units: before,
  bare: before.length === 0,
  header: before.length === 0 ? unit.header : undefined,
  trail,
})

/** The last whole sentences of a chunk, to stand before the unit that begins the next one. */
function overlap(units: Unit[], next: Unit, ruler: Ruler, { maxTokens, overlapTokens }: Limits): Unit[] {
  if (next.kind !== 'prose') return []
  const taken: Unit[] = []
  let left = Math.min(overlapTokens, maxTokens - next.tokens)
  for (const unit of units.toReversed()) {
    if (unit.kind !== 'prose') break
    for (const sentence of [...sentences(ruler.text, unit)].toReversed()) {
      const tokens = left > 0 ? ruler.measure(sentence, left) : undefined
      if (tokens === undefined || next.end - sentence.start > ruler.maxLength) return taken
      taken.unshift({ ...sentence, kind: 'prose', tokens })
      left -= tokens
    }
  }
  return taken
}

const isPrefix = (shorter: string[], longer: string[]): boolean =>
  shorter.length < longer.length && shorter.every((title, i) => title === longer[i])

function sharedPrefix(a: string[], b: string[]): string[] {
  const different = a.findIndex((title, i) => title !== b[i])
  return different === -1 ? a : a.slice(0, different)
}
