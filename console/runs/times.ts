import type { JobDetail } from '@ganglion/client'

export type RunNode = JobDetail['nodes'][number]

export interface Span {
  from: number
  to: number
}

/** Returns whether a node only waits, for people or for a time. */
export const isWait = ({ node_type, status }: RunNode): boolean =>
  node_type === 'human' || node_type === 'wait' || status === 'waiting'

/** Returns whether a node only contains other nodes. */
const isContainer = ({ node_type }: RunNode): boolean => node_type === 'map' || node_type === 'loop'

/** A task in a child run. */
export interface ChildWait {
  job_id: string
  opened_at: string
  closed_at?: string
}

/** Returns a node's time span in milliseconds. The span of an open node ends now. */
export function getSpan({ started_at, finished_at, at, status }: RunNode, now: number): Span {
  const from = Date.parse(started_at ?? at)
  const isOpen = status === 'running' || status === 'waiting'
  return {
    from,
    to: finished_at ? Date.parse(finished_at) : isOpen ? Math.max(now, from) : Math.max(Date.parse(at), from),
  }
}

/** Merges overlapping spans and returns them in order. */
export function mergeSpans(spans: Span[]): Span[] {
  const merged: Span[] = []
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1)
    if (last && from <= last.to) last.to = Math.max(last.to, to)
    else merged.push({ from, to })
  }
  return merged
}

/** Removes the parts of the spans that overlap with others. */
const subtract = (spans: Span[], others: Span[]): Span[] =>
  mergeSpans(others).reduce(
    (remaining, { from, to }) =>
      remaining.flatMap(span =>
        [
          { from: span.from, to: Math.min(span.to, from) },
          { from: Math.max(span.from, to), to: span.to },
        ].filter(piece => piece.to > piece.from),
      ),
    spans,
  )

/** Returns the spans during which nodes work. A node doesn't work while its child run is waiting for people. */
function listBusy(nodes: RunNode[], now: number, childWaits: ChildWait[] = []): Span[] {
  const children = new Set(nodes.map(({ child_job_id }) => child_job_id))
  const busy = nodes
    .filter(node => !isWait(node) && !isContainer(node))
    .flatMap(node => {
      const { child_job_id } = node
      if (child_job_id === undefined) return [getSpan(node, now)]
      // Waits in deeper descendant runs may belong to any of the child runs.
      const ownWaits = childWaits.filter(({ job_id }) => job_id === child_job_id || !children.has(job_id))
      const waits = ownWaits.map(({ opened_at, closed_at }) => ({
        from: Date.parse(opened_at),
        to: closed_at ? Date.parse(closed_at) : now,
      }))
      return subtract([getSpan(node, now)], waits)
    })
  return mergeSpans(busy)
}

/** Returns how long a run has worked, and how long it has waited for people or time, in milliseconds. */
export function measureRun(
  { created_at, finished_at, nodes }: JobDetail,
  now: number,
  childWaits: ChildWait[] = [],
): { working: number; waiting: number } {
  const total = (finished_at ? Date.parse(finished_at) : now) - Date.parse(created_at)
  const busy = listBusy(nodes, now, childWaits)
  const waits = nodes.filter(node => isWait(node) || node.child_job_id !== undefined).map(node => getSpan(node, now))
  const worked = sum(busy)
  const waiting = Math.max(0, sum(mergeSpans(busy.concat(waits))) - worked)
  return { working: Math.max(0, total - waiting), waiting }
}

const sum = (spans: Span[]): number => spans.reduce((total, { from, to }) => total + to - from, 0)

/** Fraction of the width that a collapsed pause occupies. */
const FOLD = 0.02
const MIN_FOLDED_MS = 2_000

/**
 * Maps times to positions from 0 to 1, with idle pauses collapsed. Also returns the positions of the collapsed
 * pauses.
 */
export function buildScale(nodes: RunNode[], from: number, to: number, now: number) {
  const busy = listBusy(nodes, now)
  const pieces: (Span & { isFolded: boolean })[] = []
  let end = from
  for (const span of [...busy, { from: to, to }]) {
    if (span.from > end) pieces.push({ from: end, to: span.from, isFolded: span.from - end > MIN_FOLDED_MS })
    if (span.to > span.from) pieces.push({ ...span, isFolded: false })
    end = Math.max(end, span.to)
  }
  const visibleMs = pieces
    .filter(({ isFolded }) => !isFolded)
    .reduce((total, piece) => total + piece.to - piece.from, 0)
  const folds = pieces.filter(({ isFolded }) => isFolded).length
  const room = Math.max(0.1, 1 - folds * FOLD)
  const widthOf = ({ from, to, isFolded }: (typeof pieces)[number]) =>
    isFolded ? FOLD : ((to - from) / Math.max(1, visibleMs)) * room
  const place = (time: number): number => {
    let x = 0
    for (const piece of pieces) {
      const width = widthOf(piece)
      if (time <= piece.to) return x + width * Math.max(0, (time - piece.from) / Math.max(1, piece.to - piece.from))
      x += width
    }
    return Math.min(1, x)
  }
  /** Returns the time at a position. */
  const timeAt = (place: number): number => {
    let x = 0
    for (const piece of pieces) {
      const width = widthOf(piece)
      if (place <= x + width && width > 0) return piece.from + ((place - x) / width) * (piece.to - piece.from)
      x += width
    }
    return to
  }
  return {
    place,
    timeAt,
    folds: pieces.filter(({ isFolded }) => isFolded).map(({ from, to }) => ({ x: place(from), ms: to - from })),
  }
}
