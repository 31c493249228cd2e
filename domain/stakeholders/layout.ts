import { forceCollide, forceLink, forceManyBody, forceSimulation, forceX, forceY } from 'd3-force'
import type { Graph, GraphEdge, GraphNode } from './graph.ts'
import { estimateTextWidth, fitText } from '../shared/text/text-width.ts'

/** A rectangle, given by its center and size. */
export interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** A person with a position. The circle and the label are inside the box. */
export interface PlacedNode extends GraphNode {
  /** Bounding box of the circle, its label and its mark. */
  box: Box
  /** Center of the circle. */
  cx: number
  cy: number
  radius: number
  lines: string[]
}

export interface Layout {
  nodes: PlacedNode[]
  edges: GraphEdge[]
}

export const NAME_SIZE = 14
export const ABOUT_SIZE = 11.5
export const MARK_SIZE = 10.5
export const LINE_HEIGHT = 1.25
/** Space between the circle and the label, and above the circle for the mark. */
export const LABEL_GAP = 5
const MARK_HEIGHT = MARK_SIZE * LINE_HEIGHT + 6
const MAX_LABEL_WIDTH = 190
const MIN_RADIUS = 9
const MAX_RADIUS = 26
/** Free space around each box. */
const MARGIN = 7

/** Up to this number of people, there is room for relation labels. */
const FEW = 15

const MAX_TICKS = 300
const MIN_TICKS = 60
/** Maximum product of ticks and people, which limits the layout time. */
const MAX_WORK = 90_000

/** Arranges a graph with a force layout, then separates overlapping boxes. Deterministic. */
export function layOut({ nodes, edges }: Graph): Layout {
  const sized = nodes.map(measureNode)
  const byId = new Map(sized.map(node => [node.id, node]))
  const links = edges
    .filter(({ from, to }) => byId.has(from) && byId.has(to))
    .map(({ from, to }) => ({ source: from, target: to }))
  const simulation = forceSimulation(sized)
    .force(
      'link',
      forceLink<SizedNode, { source: string; target: string }>(links)
        .id(({ id }) => id)
        .distance(nodes.length <= FEW ? 200 : 130),
    )
    .force('charge', forceManyBody().strength(-420).distanceMax(900))
    .force('collide', forceCollide<SizedNode>(({ width, height }) => (width + height) / 4 + MARGIN).iterations(2))
    // Images are wider than they are tall.
    .force('x', forceX(0).strength(0.05))
    .force('y', forceY(0).strength(0.09))
    .stop()
  simulation.tick(Math.max(MIN_TICKS, Math.min(MAX_TICKS, Math.floor(MAX_WORK / Math.max(1, nodes.length)))))
  const boxes = sized.map(({ x = 0, y = 0, width, height }) => ({ x, y, width, height }))
  separate(boxes)
  return { nodes: sized.map((node, i) => placeNode(node, boxes[i] as Box)), edges }
}

type SizedNode = GraphNode & { radius: number; lines: string[]; width: number; height: number; x?: number; y?: number }

function measureNode(node: GraphNode): SizedNode {
  const radius = MIN_RADIUS + node.influence * (MAX_RADIUS - MIN_RADIUS)
  const name = fitText(oneLine(node.name), NAME_SIZE, MAX_LABEL_WIDTH)
  const about = fitText(oneLine(node.about), ABOUT_SIZE, MAX_LABEL_WIDTH)
  const lines = about === '' ? [name] : [name, about]
  const label = Math.max(estimateTextWidth(name, NAME_SIZE), estimateTextWidth(about, ABOUT_SIZE))
  const mark = node.mark ? estimateTextWidth(node.mark, MARK_SIZE) + 12 : 0
  return {
    ...node,
    radius,
    lines,
    width: Math.max(2 * radius, label, mark),
    height: (node.mark ? MARK_HEIGHT : 0) + 2 * radius + LABEL_GAP + measureLines(lines),
  }
}

const measureLines = (lines: string[]): number =>
  NAME_SIZE * LINE_HEIGHT + (lines.length > 1 ? ABOUT_SIZE * LINE_HEIGHT : 0)

function placeNode({ width, height, x: _x, y: _y, ...node }: SizedNode, box: Box): PlacedNode {
  const top = box.y - height / 2
  const cy = top + (node.mark ? MARK_HEIGHT : 0) + node.radius
  return { ...node, box: { ...box, width, height }, cx: box.x, cy }
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

const MAX_ROUNDS = 60
const SPREAD = 1.1

/** Moves boxes apart until none overlap. If pushing isn't enough, spreads all boxes out. */
export function separate(boxes: Box[]): void {
  for (;;) {
    for (let round = 0; round < MAX_ROUNDS; round++) if (!pushApart(boxes)) return
    for (const box of boxes) {
      box.x *= SPREAD
      box.y *= SPREAD
    }
  }
}

/** Pushes overlapping boxes apart along the shorter axis. Returns whether any overlapped. */
function pushApart(boxes: Box[]): boolean {
  const sorted = boxes.toSorted((a, b) => a.x - a.width / 2 - (b.x - b.width / 2))
  let hasMoved = false
  for (const [i, a] of sorted.entries()) {
    for (let k = i + 1; k < sorted.length; k++) {
      const b = sorted[k] as Box
      // Boxes move only slightly during a round. A wide margin keeps the sort order useful.
      if (b.x - b.width / 2 > a.x + a.width / 2 + 4 * MARGIN) break
      const overlapX = (a.width + b.width) / 2 + MARGIN - Math.abs(a.x - b.x)
      const overlapY = (a.height + b.height) / 2 + MARGIN - Math.abs(a.y - b.y)
      if (overlapX <= 0.01 || overlapY <= 0.01) continue
      hasMoved = true
      if (overlapX < overlapY) push(a, b, 'x', overlapX, i - k)
      else push(a, b, 'y', overlapY, i - k)
    }
  }
  return hasMoved
}

function push(a: Box, b: Box, axis: 'x' | 'y', overlap: number, tie: number): void {
  const direction = Math.sign(a[axis] - b[axis]) || Math.sign(tie)
  a[axis] += (direction * overlap) / 2
  b[axis] -= (direction * overlap) / 2
}

/** Returns whether two boxes intersect. */
export const doOverlap = (a: Box, b: Box): boolean =>
  Math.abs(a.x - b.x) < (a.width + b.width) / 2 && Math.abs(a.y - b.y) < (a.height + b.height) / 2
