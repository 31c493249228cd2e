import type { JobDetail } from '@ganglion/client'

export type RunNode = JobDetail['nodes'][number]

export interface Span {
  from: number
  to: number
}

/** Nodes that wait for people or for time do no work meanwhile. */
export const isWait = ({ node_type, status }: RunNode): boolean =>
  node_type === 'human' || node_type === 'wait' || status === 'waiting'

/** The span of a node in milliseconds; an open one lasts until now. */
export function toSpan({ started_at, finished_at, at, status }: RunNode, now: number): Span {
  const from = Date.parse(started_at ?? at)
  const isOpen = status === 'running' || status === 'waiting'
  return {
    from,
    to: finished_at ? Date.parse(finished_at) : isOpen ? Math.max(now, from) : Math.max(Date.parse(at), from),
  }
}

/** The spans in which anything happens, in order and without overlaps. */
export function mergeSpans(spans: Span[]): Span[] {
  const merged: Span[] = []
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1)
    if (last && from <= last.to) last.to = Math.max(last.to, to)
    else merged.push({ from, to })
  }
  return merged
}

/** How long a run has worked, and how long it has waited for people or for time, in milliseconds. */
export function measureRun(
  { created_at, finished_at, nodes }: JobDetail,
  now: number,
): { working: number; waiting: number } {
  const total = (finished_at ? Date.parse(finished_at) : now) - Date.parse(created_at)
  const busy = mergeSpans(nodes.filter(node => !isWait(node)).map(node => toSpan(node, now)))
  const waits = mergeSpans(nodes.filter(isWait).map(node => toSpan(node, now)))
  const worked = sum(busy)
  const waiting = Math.max(0, sum(mergeSpans(busy.concat(waits))) - worked)
  return { working: Math.max(0, total - waiting), waiting }
}

const sum = (spans: Span[]): number => spans.reduce((total, { from, to }) => total + to - from, 0)

/** The share that a folded pause takes of the width. */
const FOLD = 0.02
const MIN_FOLDED_MS = 2_000

/** Maps times to 0…1, with pauses in which nothing works folded. Returns also the places of the folds. */
export function buildScale(nodes: RunNode[], from: number, to: number, now: number) {
  const busy = mergeSpans(nodes.filter(node => !isWait(node)).map(node => toSpan(node, now)))
  const pieces: (Span & { isFolded: boolean })[] = []
  let end = from
  for (const span of [...busy, { from: to, to }]) {
    if (span.from > end) pieces.push({ from: end, to: span.from, isFolded: span.from - end > MIN_FOLDED_MS })
    if (span.to > span.from) pieces.push({ ...span, isFolded: false })
    end = Math.max(end, span.to)
  }
  const shown = pieces.filter(({ isFolded }) => !isFolded).reduce((total, piece) => total + piece.to - piece.from, 0)
  const folds = pieces.filter(({ isFolded }) => isFolded).length
  const room = Math.max(0.1, 1 - folds * FOLD)
  const widthOf = ({ from, to, isFolded }: (typeof pieces)[number]) =>
    isFolded ? FOLD : ((to - from) / Math.max(1, shown)) * room
  const place = (time: number): number => {
    let x = 0
    for (const piece of pieces) {
      const width = widthOf(piece)
      if (time <= piece.to) return x + width * Math.max(0, (time - piece.from) / Math.max(1, piece.to - piece.from))
      x += width
    }
    return Math.min(1, x)
  }
  return {
    place,
    folds: pieces.filter(({ isFolded }) => isFolded).map(({ from, to }) => ({ x: place(from), ms: to - from })),
  }
}
