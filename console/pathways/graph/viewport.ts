import type { Layout, PlacedNode } from './layout.ts'

interface Size {
  width: number
  height: number
}

/** Position of the graph's origin, and the zoom. */
interface Viewport {
  x: number
  y: number
  zoom: number
}

const PADDING = 24
/** Minimum zoom at which the whole graph is shown. */
const MIN_WHOLE = 0.5
const MIN_READABLE = 0.75
const MAX = 1
/** Number of nodes in view if a run has not started. */
const FIRST = 4

/**
 * Returns a viewport that shows the whole graph if it is readable. Otherwise, shows the current nodes, without empty
 * space where the graph is cut off.
 */
export function findViewport(layout: Layout, focus: string[], size: Size): Viewport {
  const whole = fit(layout, size)
  if (whole >= MIN_WHOLE) return place(layout, { x: layout.width / 2, y: layout.height / 2 }, size, whole)
  const current = layout.nodes.filter(({ path }) => focus.includes(path))
  const box = measure(current.length > 0 ? current : listFirst(layout.nodes))
  const zoom = Math.max(MIN_READABLE, fit(box, size))
  return place(layout, { x: box.x + box.width / 2, y: box.y + box.height / 2 }, size, zoom)
}

/** Returns the viewport, moved as little as possible to bring a node into view. */
export function reveal(node: PlacedNode, viewport: Viewport, size: Size): Viewport {
  const { zoom } = viewport
  const x = viewport.x + shift(viewport.x + node.x * zoom, node.width * zoom, size.width)
  // For a large body, only the title must be in view.
  const y = viewport.y + shift(viewport.y + node.y * zoom, Math.min(node.height, 64) * zoom, size.height)
  return x === viewport.x && y === viewport.y ? viewport : { x, y, zoom }
}

/** Returns how far an interval must move to fit into the available length. */
function shift(from: number, length: number, room: number): number {
  if (from < PADDING) return PADDING - from
  return Math.min(0, Math.max(room - PADDING - from - length, PADDING - from))
}

const fit = ({ width, height }: Size, size: Size): number =>
  Math.min(MAX, (size.width - 2 * PADDING) / width, (size.height - 2 * PADDING) / height)

const place = (layout: Size, center: { x: number; y: number }, size: Size, zoom: number): Viewport => ({
  x: placeAxis(layout.width * zoom, center.x * zoom, size.width),
  y: placeAxis(layout.height * zoom, center.y * zoom, size.height),
  zoom,
})

/** Centers the graph on one axis if it fits. Otherwise, leaves no empty space at either end. */
function placeAxis(length: number, center: number, room: number): number {
  if (length + 2 * PADDING <= room) return (room - length) / 2
  return Math.min(PADDING, Math.max(room - length - PADDING, room / 2 - center))
}

function measure(nodes: PlacedNode[]) {
  const x = Math.min(...nodes.map(node => node.x))
  const y = Math.min(...nodes.map(node => node.y))
  const right = Math.max(...nodes.map(node => node.x + node.width))
  const bottom = Math.max(...nodes.map(node => node.y + node.height))
  return { x, y, width: right - x, height: bottom - y }
}

const listFirst = (nodes: PlacedNode[]) => nodes.toSorted((a, b) => a.y - b.y).slice(0, FIRST)
